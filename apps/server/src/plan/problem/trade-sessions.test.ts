import { buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';
import { DATE, useTrade } from '../../testing/trade-days.ts';

const s = useTrade();

/** Bo and Mo need cover at the same time, and only Kai can give it. */
const BOTH = {
  away: ['Ana Ruiz', 'Lin Shaw'],
  without: 'Bo Lee: Unassigned, Mo Diaz: Kai Wood',
  with: 'Bo Lee: Kai Wood, Mo Diaz: Unassigned',
};

s.test({
  'care owed': {
    day: async () => {
      await s.oneForTwo();
      const before = { start: '09:00', end: '12:00' };
      return async () => {
        for (const date of ['2026-12-01', '2026-12-02']) await s.book(s.ana, s.bo, { ...before, date });
        await s.book(s.ana, s.bo, { ...before, date: '2026-12-03', status: 'cancelled' });
      };
    },
    ...BOTH,
    why: 'Bo Lee lost 3 h of 6 h of care in 7 days.',
  },
  'a priority set by hand': {
    day: async () => {
      await s.oneForTwo();
      return () => s.db.updateTable('client').set({ priority: 200 }).where('id', '=', s.bo).execute();
    },
    ...BOTH,
    why: 'Bo Lee’s priority is 200%, set by hand.',
  },
  'an authorization': {
    day: async () => {
      const mo = await s.oneForTwo();
      return () => buildAuthorization(s.db, mo, { units: 100, until: '2026-12-08' });
    },
    ...BOTH,
    why: 'No authorization pays for this session on Wed, Dec 9.',
    of: 'Mo Diaz',
  },
  'what a payer requires': {
    day: async () => {
      await s.kai();
      await s.lou({ tags: ['Acme enrollment'] });
      await buildAuthorization(s.db, s.bo, { units: 100 });
      const acme = { name_key: 'acme', name: 'Acme', credential: null, tag: 'Acme enrollment' };
      return () => s.db.insertInto('payer').values(acme).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Acme requires: Acme enrollment.',
  },
  'the credential that a payer requires': {
    day: async () => {
      await s.kai({ specialization: 'BT' });
      await s.lou();
      await buildAuthorization(s.db, s.bo, { units: 100 });
      const acme = { name_key: 'acme', name: 'Acme', credential: 'RBT' as const, tag: null };
      return () => s.db.insertInto('payer').values(acme).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Acme requires: RBT.',
  },
  supervision: {
    day: async () => {
      const [sue = '', sid = '', sam = ''] = await Promise.all(
        ['Sue', 'Sid', 'Sam'].map((first) => buildTherapist(s.db, { first, last: 'Fox', specialization: 'BCBA' })),
      );
      const rbt = await s.kai();
      const mo = await buildClient(s.db, { first: 'Mo', last: 'Diaz' });
      await s.book(rbt, mo);
      const supervise = (who: string, client: string, date = DATE) =>
        s.book(who, client, { date, end: '10:00', service: 'supervision', subject: 'Supervision' });
      await supervise(sue, s.bo);
      await supervise(sid, mo);
      await s.metBefore(sam, s.bo);
      // The only free supervisor is on Mo's team.
      for (const date of ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']) await s.book(sam, mo, { date });
      return async () => {
        for (const date of ['2026-12-02', '2026-12-03']) {
          await s.book(rbt, mo, { date });
          await supervise(sid, mo, date);
        }
      };
    },
    away: ['Sue Fox', 'Sid Fox'],
    without: 'Bo Lee: Unassigned, Mo Diaz: Sam Fox',
    with: 'Bo Lee: Sam Fox, Mo Diaz: Unassigned',
    why: 'Without this session, Ana Ruiz has 0 min of 6 min of supervision in December, and 0 of 2 contacts.',
  },
  'who is in the building': {
    day: async () => {
      const [inside, other] = [await s.kai(), await buildTherapist(s.db, { first: 'Lou', last: 'Vance' })];
      const early = { start: '08:00', end: '09:00' };
      await s.book(inside, await buildClient(s.db), early);
      await s.book(inside, null, { end: '10:00' });
      const own = await s.book(other, await buildClient(s.db), early);
      return () =>
        s.db
          .updateTable('appointment')
          .set({ starts: `${DATE} 13:00:00`, ends: `${DATE} 14:00:00` })
          .where('id', '=', own)
          .execute();
    },
    without: 'Bo Lee: Lou Vance',
    with: 'Bo Lee: Kai Wood',
    why: 'Kai Wood has to be called for this.',
  },
  'a refusal': {
    day: async () => {
      const refusal = {
        location: 'altamonte' as const,
        date: DATE,
        therapist_id: await s.kai(),
        client_id: null,
        scope: 'session' as const,
        sessions: [s.session],
        said_to: '[]',
        until_minute: null,
        away: '[]',
        wall_minute: 440,
        at: '2026-11-20T12:20:00Z',
        account_id: s.staff.accountId,
        ended_at: null,
        ended_by: null,
        answer_id: null,
      };
      return () => s.db.insertInto('call_decline').values(refusal).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 said no to this session',
  },
});
