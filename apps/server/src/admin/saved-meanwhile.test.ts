import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_RULES, ERRORS, type Account, type Cause, type Payer, type ShownRules } from '@clinic/contract';
import { lockAll } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { waitsOrReplied } from '../testing/waits.ts';

let admin: SignedIn;
const t = useApp();
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin' });
});

const ok = async <T>(reply: Promise<LightMyRequestResponse>): Promise<T> => {
  const { statusCode, body } = await reply;
  expect([200, 201], body).toContain(statusCode);
  return JSON.parse(body) as T;
};
const get = <T>(url: string) => ok<T>(admin.call({ url: `/api/${url}` }));
const put = (url: string, payload: object) => admin.call({ method: 'PUT', url: `/api/${url}`, payload });
const post = <T>(url: string, payload: object) => ok<T>(admin.call({ method: 'POST', url: `/api/${url}`, payload }));

interface Versioned {
  readonly version: string;
}
/** Something that two administrators edit at the same time. */
interface Edited {
  readonly url: string;
  /** Reads the stored values in the form in which a save sends them. */
  readonly read: () => Promise<Versioned & Record<string, unknown>>;
  /** The values that one administrator changes; `mine` holds the values that the other changes. */
  readonly theirs: Record<string, unknown>;
  readonly mine: Record<string, unknown>;
  /** Locks rows, so that a save has to wait before it reads what is stored. */
  readonly hold: (trx: Db) => Promise<unknown>;
}

const SCENES: Readonly<Record<string, () => Promise<Edited>>> = {
  'a payer': async () => {
    const name = `Payer ${randomUUID().slice(0, 8)}`;
    await ok(put('payers', { name, credential: 'RBT', tag: null, concurrent: null }));
    return {
      url: 'payers',
      read: async () => {
        const payer = (await get<Payer[]>('payers')).find((each) => each.name === name);
        if (!payer) throw new Error('the payer is not listed');
        const { credential, tag, concurrent, version } = payer;
        return { name, credential, tag, concurrent, version };
      },
      theirs: { credential: 'BCBA' },
      mine: { tag: 'Enrolled' },
      hold: (trx) => lockAll(trx, ['payers']),
    };
  },
  'the clinic’s limits': async () => {
    await ok(put('rules', DEFAULT_RULES));
    return {
      url: 'rules',
      read: async () => ({ ...(await get<ShownRules>('rules')) }),
      theirs: { week_hours: 35 },
      mine: { new_here_days: 20 },
      hold: (trx) => lockAll(trx, ['rules']),
    };
  },
  'a cause': async () => {
    const label = `Cause ${randomUUID().slice(0, 8)}`;
    const made = await post<Cause[]>('causes', { label, lost_by: null });
    const id = made.find((cause) => cause.label === label)?.id ?? '';
    return {
      url: `causes/${id}`,
      read: async () => {
        const cause = (await get<Cause[]>('causes')).find((each) => each.id === id);
        if (!cause) throw new Error('the cause is not listed');
        return { label: cause.label, lost_by: cause.lost_by, version: cause.version };
      },
      theirs: { lost_by: 'family' },
      mine: { label: `${label} in town` },
      hold: (trx) => lockAll(trx, ['causes']),
    };
  },
  'an account': async () => {
    const email = `${randomUUID().slice(0, 8)}@clinic.example`;
    const body = { email, name: 'Dana', role: 'scheduler', locations: ['tampa'], password: 'a long enough one' };
    const { id } = await post<Account>('accounts', body);
    return {
      url: `accounts/${id}`,
      read: async () => {
        const account = (await get<Account[]>('accounts')).find((each) => each.id === id);
        if (!account) throw new Error('the account is not listed');
        const { name, role, locations, disabled, version } = account;
        return { email, name, role, locations, disabled, version };
      },
      theirs: { locations: ['tampa', 'deerfield'] },
      mine: { name: 'Dana Cole' },
      hold: (trx) => trx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute(),
    };
  },
};

describe.each(Object.entries(SCENES))('given %s that two administrators edit', (_what, scene) => {
  test('if the second administrator saves an outdated version, nothing is overwritten; a save of the newest version succeeds', async () => {
    const { url, read, theirs, mine } = await scene();
    const seen = await read();
    await ok(put(url, { ...seen, ...theirs }));
    const stored = await read();
    const refused = await put(url, { ...seen, ...mine });
    expect([refused.statusCode, refused.json<{ detail: object }>().detail]).toEqual([
      409,
      { message: ERRORS['stale-version'].text, version: stored.version, conflicts: [] },
    ]);
    expect(await read()).toEqual(stored);
    await ok(put(url, { ...stored, ...mine }));
    expect(await read()).toEqual({ ...stored, ...mine, version: expect.any(String) as unknown });
  });

  test('a save that is sent twice succeeds, and so does a save without a version', async () => {
    const { url, read, theirs, mine } = await scene();
    const { version, ...seen } = await read();
    await ok(put(url, { ...seen, ...theirs, version }));
    await ok(put(url, { ...seen, ...theirs, version }));
    await ok(put(url, { ...seen, ...mine }));
    expect(await read()).toMatchObject(mine);
  });

  test('when both administrators save at the same moment, one save succeeds and the other is refused', async () => {
    const { url, read, theirs, mine, hold } = await scene();
    const seen = await read();
    const sent = await t.db.transaction().execute(async (trx) => {
      await hold(trx);
      const both = [put(url, { ...seen, ...theirs }), put(url, { ...seen, ...mine })];
      expect(await waitsOrReplied(t.deps.pool, both, 2)).toBe(true);
      return { both };
    });
    const replies = await Promise.all(sent.both);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });
});
