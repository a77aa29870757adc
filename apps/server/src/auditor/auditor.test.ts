import { sql } from 'kysely';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AUDITED_AT, auditedFile, partsOf } from '../testing/auditor.ts';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { verifyAudit } from '../admin/verify.ts';
import { checkParts, SEAL } from './seal.ts';

const DATE = '2030-11-25';
const RANGE = { from: '2030-11-01', to: '2030-11-30' };
let [ana, sue, bo, ida] = ['', '', '', ''];
const t = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse(AUDITED_AT) } } }),
  async ({ db }) => {
    ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz', specialization: 'RBT' });
    sue = await buildTherapist(db, { first: 'Sue', last: 'Kent', specialization: 'BCBA' });
    await db
      .insertInto('therapist_credential')
      .values({
        therapist_id: ana,
        credential: 'RBT',
        number: 'R-77',
        from_date: '2030-01-01',
        until_date: '2031-12-31',
      })
      .execute();
    const granted = { units: 40, from: '2030-01-01', until: '2030-12-31', number: 'A-9', payer: 'Aetna' };
    bo = await buildClient(db, { first: 'Bo', last: 'Lee', authorizations: [granted] });
    ida = await buildClient(db, { first: 'Ida', last: 'Fox' });
    const at = { client: bo, therapist: ana, date: DATE, start: '09:00', end: '11:00' };
    await buildAppointment(db, at);
    await buildAppointment(db, { ...at, therapist: sue, service: 'supervision', subject: 'Supervision', end: '10:00' });
    await buildAppointment(db, { ...at, date: '2030-11-26', status: 'cancelled' });
    await buildAppointment(db, { ...at, date: '2030-12-02', client: ida });
    await buildAppointment(db, { ...at, date: '2020-11-25' });
  },
);

const fileOf = (range: object = RANGE, by = t.staff) => auditedFile(by, { client: bo, ...RANGE, ...range });

/** Records that a therapist's profile said something else from a time on. */
const sayLater = (id: string, at: string, from: string, to: string) =>
  sql`insert into record_state
    select kind, subject, number + 1, ${at}::timestamptz, replace(state, ${from}, ${to}), hash,
      record_state_hash(hash, kind, subject, number + 1, ${at}::timestamptz, replace(state, ${from}, ${to}))
    from record_state where kind = 'therapist' and subject = ${id} order by number desc limit 1`.execute(t.db);

test('a session is said with its credential, authorization, units and supervision', async () => {
  const { rows } = await fileOf();
  expect(rows.map((row) => [row['Date'], row['Service'], row['Status'], row['Minutes delivered']])).toEqual([
    [DATE, 'Direct therapy: Direct Therapy', 'Confirmed', '120'],
    [DATE, 'Supervision: Supervision', 'Confirmed', '60'],
    ['2030-11-26', 'Direct therapy: Direct Therapy', 'Cancelled', '0'],
  ]);
  expect(rows[0]).toMatchObject({
    From: '09:00',
    To: '11:00',
    Location: 'Altamonte',
    Code: '97153',
    Therapist: `${ana}: Ana Ruiz`,
    Credential: 'RBT (R-77 from 2030-01-01 until 2031-12-31)',
    Client: `${bo}: Bo Lee`,
    Authorization: 'Aetna 97153 no. A-9 from 2030-01-01 until 2030-12-31, 40 units in all',
    'Units used': `8 of 40 in all through ${DATE}`,
    Supervision: `by ${sue}: Sue Kent, BCBA (profile; no certificate on record), 09:00 to 10:00`,
  });
});

test('a profile that changes later does not change what was known then; the change is said with its date', async () => {
  const before = await fileOf();
  await sayLater(sue, '2031-02-03T12:00Z', 'Sue Kent', 'Sue Marsh');
  const { rows } = await fileOf();
  const named = `${sue}: Sue Kent (recorded on 2031-02-03: Sue Marsh)`;
  expect(before.rows[1]?.['Therapist']).toBe(`${sue}: Sue Kent`);
  expect(rows[1]?.['Therapist']).toBe(named);
  expect(rows[0]?.['Supervision']).toContain(`by ${named}`);
});

test('what was not on record when a session ended is not guessed', async () => {
  const { rows } = await fileOf({ from: '2020-11-01', to: '2020-11-30' });
  const then = /^not on record then; recorded on \d{4}-\d\d-\d\d: /;
  expect(rows[0]?.['Credential']).toMatch(then);
  expect(rows[0]?.['Authorization']).toMatch(then);
  expect(rows[0]?.['Units used']).toBe('');
});

test('a session is in the file once it has ended, by the clock of its location', async () => {
  const { rows } = await fileOf({ from: DATE, to: '2031-10-31' });
  await buildAppointment(t.db, {
    client: bo,
    therapist: ana,
    date: AUDITED_AT.slice(0, 10),
    start: '08:00',
    end: '23:59',
  });
  expect((await fileOf({ from: DATE, to: '2031-10-31' })).rows.length).toBe(rows.length);
});

test('the history says who did what, as they were called then; acts that name other clients are carried by their hash alone', async () => {
  const sam = await t.signIn({ name: 'Sam' });
  const session = {
    location: 'altamonte',
    client: 'Bo Lee',
    therapist: 'Ana Ruiz',
    date: '2031-03-03',
    subject: 'Direct Therapy',
    anyway: true,
  };
  const send = async (method: 'POST' | 'PUT', url: string, payload: object) => {
    const reply = await sam.call({ method, url, payload });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
    return reply.json<{ key: string }[]>();
  };
  const [{ key = '' } = {}] = await send('POST', '/api/appointments', { ...session, start: '13:00', end: '14:00' });
  await send('PUT', `/api/appointments/${key}`, { ...session, start: '14:00', end: '15:00' });
  await t.db
    .updateTable('appointment')
    .set({ starts: '2030-11-27 14:00:00', ends: '2030-11-27 15:00:00' })
    .where('id', '=', key)
    .execute();
  await sql`update account set name = 'Samuel' where name = 'Sam'`.execute(t.db);
  const before = await fileOf({ from: '2030-11-27', to: '2030-11-27' });
  expect(before.rows[0]?.['How it came to be']).toBe('Booked here, moved');
  expect(before.rows[0]?.['Who did what, when (UTC)']?.split('\n')).toEqual([
    expect.stringMatching(/^\S+Z Sam \(recorded on \S+: Samuel\): Booked with Ana Ruiz, Mon, Mar 3, 1:00 PM - 2:00 PM/),
    expect.stringMatching(/^\S+Z Sam \(recorded on \S+: Samuel\): Moved from /),
  ]);
  expect(before.checked.entries).toBeGreaterThanOrEqual(2);
  await send('PUT', `/api/appointments/${key}`, {
    ...session,
    client: 'Ida Fox',
    start: '14:00',
    end: '15:00',
    date: '2031-03-04',
  });
  await t.db
    .updateTable('appointment')
    .set({ client_id: bo, starts: '2030-11-27 14:00:00', ends: '2030-11-27 15:00:00' })
    .where('id', '=', key)
    .execute();
  const { parts, checked } = await fileOf({ from: '2030-11-27', to: '2030-11-27' });
  expect(checked).toMatchObject({ faults: [], withheld: 1 });
  for (const part of parts.values()) expect(String(part)).not.toContain(ida);
});

test('one changed byte of any part is found, and so is a part that is missing or added', async () => {
  const { parts, bytes } = await fileOf();
  expect(checkParts(parts).faults).toEqual([]);
  const names = [...parts.keys()];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, flip) => {
      const changed = Buffer.from(parts.get(name) ?? '');
      const place = at % changed.length;
      changed[place] = (changed[place] ?? 0) ^ flip;
      // JSON that says the same with other white space is the same seal.
      const same = name === SEAL && sameJson(changed, parts.get(name));
      expect(checkParts(new Map([...parts, [name, changed]])).faults.length > 0 || same).toBe(true);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(bytes);
      const place = at % changed.length;
      changed[place] = (changed[place] ?? 0) ^ flip;
      const read = partsOf(changed);
      const same = names.every((name) => read.get(name)?.equals(parts.get(name) ?? Buffer.of()) === true);
      expect(checkParts(read).faults.length > 0 || same).toBe(true);
    }),
    { numRuns: 300 },
  );
  for (const name of names) {
    expect(checkParts(new Map([...parts].filter(([each]) => each !== name))).faults).not.toEqual([]);
  }
  expect(checkParts(new Map([...parts, ['more.txt', Buffer.of(1)]])).faults).not.toEqual([]);
});

function sameJson(a: Buffer, b: Buffer | undefined): boolean {
  try {
    return JSON.stringify(JSON.parse(String(a))) === JSON.stringify(JSON.parse(String(b)));
  } catch {
    return false;
  }
}

test('the file that was made is on the trail, which holds its seal; another file’s seal is refused', async () => {
  const { seal, checked, parts, rows } = await fileOf();
  expect(checked).toMatchObject({ faults: [], seal });
  expect(await verifyAudit(t.db, [seal])).toMatchObject({ faults: [] });
  const other = await fileOf();
  expect(checkParts(parts, seal).faults).toEqual([]);
  expect(checkParts(parts, other.seal).faults).toEqual(['the seal is not the one that was expected']);
  const mixed = new Map([...parts, [SEAL, other.parts.get(SEAL) ?? Buffer.of()]]);
  expect(checkParts(mixed).faults).toEqual(['the seal is not of this file']);
  const last = await t.db
    .selectFrom('audit')
    .select(['account_id', 'subject_ids', 'location', 'detail'])
    .where('action', '=', 'auditor-file.made')
    .orderBy('at', 'desc')
    .executeTakeFirst();
  expect(last).toMatchObject({ subject_ids: [bo], location: 'altamonte', detail: { ...RANGE, sessions: rows.length } });
});

test('only schedulers and administrators who may see every location of the sessions get the file; no name is in the log', async () => {
  const ask = async (by: typeof t.staff, body: object = {}) =>
    (await by.call({ method: 'POST', url: '/api/auditor-files', payload: { client: bo, ...RANGE, ...body } }))
      .statusCode;
  expect(await ask(await t.signIn({ locations: ['altamonte'] }))).toBe(200);
  expect(await ask(await t.signIn({ locations: ['tampa'] }))).toBe(403);
  expect(await ask(await t.signIn({ role: 'director' }))).toBe(403);
  expect(await ask(await t.signIn({ role: 'viewer', locations: ['altamonte'] }))).toBe(403);
  await buildAppointment(t.db, {
    client: bo,
    therapist: ana,
    location: 'tampa',
    date: '2030-10-01',
    start: '09:00',
    end: '10:00',
  });
  expect(await ask(await t.signIn({ locations: ['altamonte'] }), { from: '2030-10-01' })).toBe(403);
  expect(await ask(t.staff, { from: '2030-10-01' })).toBe(200);
  expect(await ask(t.staff, { client: 'C-9999' })).toBe(404);
  expect(await ask(t.staff, { from: '2030-12-01' })).toBe(422);
  expect(await ask(t.staff, { from: '2029-11-29' })).toBe(422);
  expect(await ask(t.staff, { from: '2029-11-30' })).toBe(200);
  expect(t.logLines.join('\n')).not.toMatch(/Bo Lee|Ana Ruiz/);
});
