// This file is over 250 lines because it sends what each provisioning service sends.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRoleMapping } from '../role-mapping.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { ENDS, entraUser, oktaUser, RECORDED } from '../testing/scim-bodies.ts';

const TOKEN = 'a token of at least thirty-two characters';
const MAPPING = parseRoleMapping('desk=scheduler@tampa,guests=viewer@orlando,clinic-admins=admin');
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let database: TestDatabase;
let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const oidc = {
    issuer: 'https://login.clinic.example',
    clientId: 'a',
    clientSecret: 'b',
    roleClaim: 'roles',
    roles: MAPPING,
  };
  const config = { scimToken: TOKEN, publicUrl: 'http://localhost', oidc };
  [one, other] = [await buildTestApp({ database, config }), await buildTestApp({ database, config })];
});
afterAll(async () => {
  await one.close();
  await other.close();
  await database.close();
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
interface User {
  id: string;
  userName: string;
  externalId?: string;
  active: boolean;
  displayName: string;
  emails: { value: string }[];
  roles?: { value: string }[];
  meta: { version: string; location: string };
}

const scim = (method: Method, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  one.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json', ...headers },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
const replace = (path: string, value: unknown) => ({ schemas: [PATCH], Operations: [{ op: 'Replace', path, value }] });

let people = 0;
async function made(body: (email: string) => object = entraUser): Promise<User> {
  const reply = await scim('POST', '/Users', body(`scim${++people}@clinic.example`));
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json();
}
const accountOf = (id: string) =>
  one.deps.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('without the token nothing is said; without the setting nothing is there', async () => {
  for (const authorization of [undefined, 'Bearer wrong', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    const reply = await one.app.inject({
      url: '/scim/v2/Users',
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
    expect(reply.headers['www-authenticate']).toBe('Bearer');
  }
  const admin = await one.signIn({ role: 'admin' });
  expect((await admin.call({ url: '/scim/v2/Users' })).statusCode).toBe(401);
  const plain = await buildTestApp({ database });
  expect(
    (await plain.app.inject({ url: '/scim/v2/Users', headers: { authorization: `Bearer ${TOKEN}` } })).statusCode,
  ).toBe(404);
  await plain.close();
});

test.each([
  ['Entra', entraUser],
  ['Okta', oktaUser],
] as const)(
  'a person whom %s sends gets an account without a password, at no location, made by SCIM',
  async (_who, body) => {
    const user = await made(body);
    expect(user).toMatchObject({ displayName: 'Dana Reyes', active: true });
    const account = await accountOf(user.id);
    expect(account).toMatchObject({
      password_hash: null,
      signs_on: true,
      role: 'scheduler',
      locations: [],
      email: user.userName,
    });
    const trail = await one.deps.db.selectFrom('audit').selectAll().where('action', '=', 'account.added').execute();
    const row = trail.find(({ subject_ids }) => subject_ids.includes(user.id));
    expect(row).toMatchObject({ account_id: null, detail: { by: 'SCIM' } });
    expect((await scim('POST', '/Users', body(user.userName.toUpperCase()))).json()).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
  },
);

test.each(Object.entries(ENDS))(
  '%s: ends the account, and its sessions at once, on every server',
  async (_how, body) => {
    const user = await made();
    const session = await sessionOf(user.id);
    for (const app of [one, other]) expect(await status(app, session)).toBe(200);
    const reply = await scim('PATCH', `/Users/${user.id}`, body);
    expect([reply.statusCode, reply.json<User>().active]).toEqual([200, false]);
    const began = performance.now();
    for (const app of [other, one]) expect(await status(app, session)).toBe(401);
    expect(performance.now() - began).toBeLessThan(1000);
    const ended = await one.deps.db
      .selectFrom('session')
      .select('ended_why')
      .where('account_id', '=', user.id)
      .execute();
    expect(ended).toEqual([{ ended_why: 'disabled' }]);
    expect((await scim('PATCH', `/Users/${user.id}`, replace('active', 'True'))).json<User>().active).toBe(true);
  },
);

test.each(Object.entries(RECORDED))('%s: leads to what its sender means', async (_what, { method, body, gives }) => {
  const user = await made();
  await scim('PATCH', `/Users/${user.id}`, replace('roles', [{ value: 'desk' }]));
  const reply = await scim(method, `/Users/${user.id}`, body(user.userName));
  expect(reply.statusCode, reply.body).toBe(200);
  const { displayName, active, emails, roles = [] } = reply.json<User>();
  expect({ name: displayName, active, email: emails[0]?.value, roles: roles.map(({ value }) => value) }).toEqual({
    name: gives.name ?? 'Dana Reyes',
    active: gives.active ?? true,
    email: `${gives.email ?? ''}${user.userName}`,
    roles: gives.roles ?? ['desk'],
  });
});

test('what a service sends as null is not there, and so changes nothing; `active: null` is refused', async () => {
  const nulls = { displayName: null, emails: null, name: null, title: null, roles: null };
  const user = await made((email) => ({
    ...entraUser(email),
    ...nulls,
    name: { givenName: 'Dana', familyName: null },
  }));
  expect(user.displayName).toBe('Dana');
  const same = await scim('PUT', `/Users/${user.id}`, {
    userName: user.userName,
    externalId: user.externalId,
    ...nulls,
  });
  expect(same.json()).toMatchObject({ displayName: 'Dana', emails: user.emails, active: true });
  const ended = await scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', value: { active: null } }] });
  expect(ended.statusCode).toBe(400);
});

async function sessionOf(accountId: string): Promise<string> {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const { id } = await one.deps.db
    .insertInto('session')
    .values({ account_id: accountId, created_at: at(0), last_seen_at: at(0), expires_at: at(3_600_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return one.deps.tokens.issue({ sessionId: id, accountId }, 600);
}
const status = async ({ app }: TestApp, token: string): Promise<number> =>
  (await app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })).statusCode;

test.each([
  ['no boolean', replace('active', 'perhaps'), 'invalidValue'],
  ['an object', replace('active', { enabled: false }), 'invalidValue'],
  ['no operations', { schemas: [PATCH] }, 'invalidSyntax'],
  ['an unknown operation', { Operations: [{ op: 'disable', path: 'active', value: false }] }, 'invalidSyntax'],
  ['no path and no object', { Operations: [{ op: 'replace', value: false }] }, 'invalidSyntax'],
  ['a path that cannot be read', replace('emails[type eq', 'x'), 'invalidPath'],
  ['an address that is none', replace('emails[type eq "work"].value', 'nowhere'), 'invalidValue'],
  ['a removal of active', { Operations: [{ op: 'remove', path: 'active' }] }, 'mutability'],
])('a patch with %s is refused, and changes nothing', async (_what, body, scimType) => {
  const user = await made();
  const reply = await scim('PATCH', `/Users/${user.id}`, body);
  expect(reply.json()).toMatchObject({ status: '400', scimType });
  expect((await scim('GET', `/Users/${user.id}`)).json()).toEqual(user);
});

test('a person is found by userName and externalId, in any case, and on pages', async () => {
  const user = await made();
  const find = async (filter: string) =>
    (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json<{
      totalResults: number;
      Resources: User[];
    }>();
  for (const filter of [
    `userName eq "${user.userName.toUpperCase()}"`,
    `username EQ "${user.userName}"`,
    `externalId eq "${user.externalId}"`,
    `emails[type eq "work"].value eq "${user.userName}"`,
    `id eq "${user.id}"`,
  ])
    expect(
      (await find(filter)).Resources.map(({ id }) => id),
      filter,
    ).toEqual([user.id]);
  expect(await find('userName eq "nobody@clinic.example"')).toMatchObject({ totalResults: 0, Resources: [] });
  expect(await find(`userName eq "' or true --"`)).toMatchObject({ totalResults: 0 });
  for (const filter of ['userName co "a"', 'title eq "x"', 'userName eq x', 'active eq true'])
    expect(await find(filter)).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  const { totalResults } = (await scim('GET', '/Users?count=0')).json<{ totalResults: number }>();
  const ids: string[] = [];
  for (let at = 1; at <= totalResults; at += 3)
    ids.push(
      ...(await scim('GET', `/Users?startIndex=${at}&count=3`))
        .json<{ Resources: User[] }>()
        .Resources.map(({ id }) => id),
    );
  expect(new Set(ids).size).toBe(totalResults);
});

test('an account that an administrator made is found and taken over, and keeps its password', async () => {
  const account: SignedIn = await one.signIn({ locations: ['tampa'] });
  const found = (await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${account.email}"`)}`)).json<{
    Resources: User[];
  }>();
  const [user] = found.Resources;
  expect(user?.id).toBe(account.accountId);
  await scim('PATCH', `/Users/${user?.id}`, replace('externalId', 'taken over'));
  expect(await accountOf(account.accountId)).toMatchObject({
    external_id: 'taken over',
    role: 'scheduler',
    locations: ['tampa'],
  });
  expect((await accountOf(account.accountId)).password_hash).not.toBeNull();
});

test('roles give rights as groups of the sign-on do; without one, the person sees nothing', async () => {
  const user = await made();
  const after = async (body: unknown) => {
    expect((await scim('PATCH', `/Users/${user.id}`, body)).statusCode).toBe(200);
    const { role, locations } = await accountOf(user.id);
    return { role, locations };
  };
  expect(await after(replace('roles', [{ value: 'desk' }]))).toEqual({ role: 'scheduler', locations: ['tampa'] });
  expect(await after(replace('roles[primary eq "True"].value', 'guests'))).toEqual({
    role: 'viewer',
    locations: ['orlando'],
  });
  expect(
    await after({ Operations: [{ op: 'Add', path: 'roles', value: [{ value: '{"id":"1","value":"desk"}' }] }] }),
  ).toEqual({ role: 'scheduler', locations: ['tampa'] });
  expect(await after({ Operations: [{ op: 'Remove', path: 'roles[value eq "desk"]' }] })).toEqual({
    role: 'viewer',
    locations: ['orlando'],
  });
  expect(await after({ Operations: [{ op: 'Remove', path: 'roles' }] })).toEqual({ role: 'scheduler', locations: [] });
  expect(await after(replace('displayName', 'Dana R.'))).toEqual({ role: 'scheduler', locations: [] });
});

test('whoever loses the last role sees and changes nothing from then on, in a session that is open', async () => {
  const user = await made();
  await scim('PATCH', `/Users/${user.id}`, replace('roles', 'desk'));
  const authorization = `Bearer ${await sessionOf(user.id)}`;
  const see = async (url: string) => (await one.app.inject({ url, headers: { authorization } })).statusCode;
  const day = '/api/slots?location=tampa&date=2026-11-18';
  expect(await see(day)).toBe(200);
  await scim('PATCH', `/Users/${user.id}`, {
    Operations: [{ op: 'Remove', path: 'roles', value: [{ value: 'desk' }] }],
  });
  expect(await see(day)).toBe(403);
  const all = await one.app.inject({ url: '/api/session', headers: { authorization } });
  expect(all.json()).toMatchObject({ account: { locations: [] } });
});

test('a directory does not change the address of an administrator with a password, by which they could be opened', async () => {
  const admin = await one.signIn({ role: 'admin' });
  for (const path of ['userName', 'emails[type eq "work"].value']) {
    const reply = await scim('PATCH', `/Users/${admin.accountId}`, replace(path, 'mallory@clinic.example'));
    expect(reply.json(), path).toMatchObject({ status: '409', scimType: 'mutability' });
  }
  expect(await accountOf(admin.accountId)).toMatchObject({ email: admin.email, user_name: null });
});

test('a whole user replaces the old one, but does not enable them by leaving `active` out', async () => {
  const user = await made();
  await scim('PATCH', `/Users/${user.id}`, replace('active', false));
  const reply = await scim('PUT', `/Users/${user.id}`, {
    schemas: [],
    userName: user.userName,
    displayName: 'New Name',
  });
  expect(reply.json()).toMatchObject({ displayName: 'New Name', active: false });
  expect(reply.json<User>().externalId).toBeUndefined();
  expect((await scim('PUT', `/Users/${user.id}`, { displayName: 'No name' })).statusCode).toBe(400);
});

test('a version that is no longer the newest is refused; the newest is not', async () => {
  const user = await made();
  const { version } = user.meta;
  const change = (name: string, ifMatch: string) =>
    scim('PATCH', `/Users/${user.id}`, replace('displayName', name), { 'if-match': ifMatch });
  const first = await change('One', version);
  expect([first.statusCode, first.headers['etag']]).toEqual([200, first.json<User>().meta.version]);
  expect((await change('Two', version)).statusCode).toBe(412);
  expect((await change('Two', '*')).statusCode).toBe(200);
});

test('a deleted person is gone, cannot log in, and can be provisioned again', async () => {
  const user = await made();
  const session = await sessionOf(user.id);
  expect((await scim('DELETE', `/Users/${user.id}`)).statusCode).toBe(204);
  expect(await status(other, session)).toBe(401);
  for (const method of ['GET', 'DELETE'] as const)
    expect((await scim(method, `/Users/${user.id}`)).statusCode).toBe(404);
  expect((await accountOf(user.id)).disabled_at).not.toBeNull();
  const again = await scim('POST', '/Users', entraUser(user.userName));
  expect([again.statusCode, again.json<User>().id, again.json<User>().active]).toEqual([201, user.id, true]);
});

test('the last administrator is not ended by a directory', async () => {
  const admin = await one.signIn({ role: 'admin' });
  await one.deps.db
    .updateTable('account')
    .set({ disabled_at: new Date().toISOString() })
    .where('role', '=', 'admin')
    .where('id', '<>', admin.accountId)
    .execute();
  const reply = await scim('PATCH', `/Users/${admin.accountId}`, replace('active', 'False'));
  expect(reply.json()).toMatchObject({ status: '409', scimType: 'mutability' });
  expect((await accountOf(admin.accountId)).disabled_at).toBeNull();
});

test('names and ids that are not there, and bodies that cannot be read, are refused in SCIM’s form', async () => {
  for (const path of ['/Users/none', `/Users/${crypto.randomUUID()}`, '/Schemas/none'])
    expect((await scim('GET', path)).json()).toMatchObject({ status: '404' });
  const broken = await one.app.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' },
    payload: '{"userName": ',
  });
  expect(broken.json()).toMatchObject({ status: '400' });
  expect((await scim('POST', '/Users', { displayName: 'x' })).json()).toMatchObject({ status: '400' });
  expect((await scim('POST', '/Users', { userName: 'no address' })).json()).toMatchObject({ status: '400' });
});

test('a query gets only what it asks for, and what is not there is said in SCIM’s form', async () => {
  const { id } = await made();
  const keys = async (query: string) => Object.keys((await scim('GET', `/Users/${id}?${query}`)).json<object>()).sort();
  expect(await keys('attributes=userName,urn:ietf:params:scim:schemas:core:2.0:User:name.givenName')).toEqual([
    'id',
    'schemas',
    'userName',
  ]);
  const without = await keys('excludedAttributes=displayName,ID');
  expect(without).toContain('userName');
  expect(without).toContain('id');
  expect(without).not.toContain('displayName');
  const page = await scim('GET', '/Users?attributes=active&count=1');
  expect(Object.keys(page.json<{ Resources: object[] }>().Resources[0] ?? {})).toEqual(['schemas', 'id', 'active']);
  expect((await scim('GET', '/Groups')).json()).toMatchObject({ status: '404' });
  expect((await scim('POST', '/.search', {})).json()).toMatchObject({ status: '501' });
  expect((await scim('POST', '/Groups', {})).statusCode).toBe(404);
});

test('what the service can do is said at its three addresses', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).json()).toMatchObject({
    patch: { supported: true },
    etag: { supported: true },
  });
  for (const path of ['/Schemas', '/ResourceTypes'])
    expect((await scim('GET', path)).json()).toMatchObject({ totalResults: 1 });
});
