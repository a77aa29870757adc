// This file is over 250 lines because each rule of the trade has a day here on which it changes the plan.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEFAULT_RULES, type Explanation, type ProposalReply } from '@clinic/contract';
import { saveRules } from '../../../clinic-day/rules.ts';
import {
  buildAppointment,
  buildAuthorization,
  buildClient,
  buildTherapist,
  type AppointmentPlan,
  type TherapistPlan,
} from '../../../testing/builders.ts';
import { explainFirst, saveAbsences } from '../../../testing/calls.ts';
import { buildCoverApp } from '../../../testing/cover-app.ts';
import type { SignedIn, TestApp } from '../../../testing/test-app.ts';
import type { Db } from '../../../db/connection.ts';

/** A Wednesday, 19 days after the current date of these tests. */
const DATE = '2026-12-09';
let t: TestApp;
let db: Db;
let staff: SignedIn;
let ana: string;
let bo: string;
let session: string;
beforeAll(async () => {
  t = await buildCoverApp({ config: { clock: '2026-11-20T12:20:00Z' } });
  db = t.deps.db;
  staff = await t.signIn();
});
afterAll(() => t.close());
beforeEach(async () => {
  await saveRules(db, DEFAULT_RULES);
  for (const table of ['call_decline', 'appointment', 'absence', 'payer', 'therapist', 'client'] as const)
    await db.deleteFrom(table).execute();
  ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  session = await book(ana, bo);
});

const book = (therapist: string, client: string | null, plan: Partial<AppointmentPlan> = {}): Promise<string> =>
  buildAppointment(db, { therapist, client, date: DATE, start: '09:00', end: '11:00', ...plan });
const kai = (plan: TherapistPlan = {}) => buildTherapist(db, { first: 'Kai', last: 'Wood', ...plan });
/** Adds Lou, who is a little more costly than Kai because of administrative time. */
async function lou(plan: TherapistPlan = {}): Promise<string> {
  const id = await buildTherapist(db, { first: 'Lou', last: 'Vance', ...plan });
  await book(id, null, { start: '10:00', end: '10:45' });
  return id;
}
/** Books a session too long ago to count as care, so that the client knows the therapist. */
const metBefore = (therapist: string, client: string) => book(therapist, client, { date: '2026-10-28' });
/** Books nine hours, in the last 28 days, that the therapist covered for Ana. */
async function coverMuch(therapist: string, start: string, end: string): Promise<void> {
  const other = await buildClient(db);
  for (const date of ['2026-12-02', '2026-11-25', '2026-11-18'])
    await book(therapist, other, { date, start, end, bookedTherapist: ana });
}
/** Books Mo at the same time as Bo. Mo knows Kai, the only therapist who could cover either session. */
async function oneForTwo(): Promise<string> {
  const lin = await buildTherapist(db, { first: 'Lin', last: 'Shaw' });
  const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
  await book(lin, mo);
  await metBefore(await kai(), mo);
  return mo;
}
const setTherapist = (id: string, to: Record<string, string | number>) =>
  db.updateTable('therapist').set(to).where('id', '=', id).execute();

interface Day {
  /** Sets the day up without the rule, and returns a function that makes the rule apply. */
  readonly day: () => Promise<() => Promise<unknown>>;
  readonly away?: readonly string[];
  /** The therapist of each affected client, first without and then with the rule. */
  readonly without: string;
  readonly with: string;
  /** A sentence in the explanation, and the client whose session it explains (by default Bo Lee). */
  readonly why: string;
  readonly of?: string;
}
const TWO = ['Ana Ruiz', 'Lin Shaw'];
const BOTH = {
  away: TWO,
  without: 'Bo Lee: Unassigned, Mo Diaz: Kai Wood',
  with: 'Bo Lee: Kai Wood, Mo Diaz: Unassigned',
};

const DAYS: Record<string, Day> = {
  'employment by date': {
    day: async () => {
      const id = await kai();
      return () => setTherapist(id, { start_date: '2026-12-14' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is not with the clinic on Wed, Dec 9',
  },
  'the last day of employment': {
    day: async () => {
      const id = await kai({ lastDay: DATE });
      return () => setTherapist(id, { end_date: '2026-12-08' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is not with the clinic on Wed, Dec 9',
  },
  'availability by date': {
    day: async () => {
      const id = await kai();
      return () =>
        db
          .updateTable('therapist_availability')
          .set({ from_date: '2026-12-14' })
          .where('therapist_id', '=', id)
          .execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 does not work then',
  },
  'new here': {
    day: async () => {
      const id = await kai();
      return () => setTherapist(id, { start_date: '2026-12-01' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is new here and does not know Bo Lee',
  },
  'how long a therapist is new here': {
    day: async () => {
      await kai({ firstDay: '2026-11-20' });
      return () => saveRules(db, { ...DEFAULT_RULES, new_here_days: 20 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is new here and does not know Bo Lee',
  },
  'needs that a therapist must meet': {
    day: async () => {
      await kai();
      await lou({ tags: ['spanish'] });
      return () => db.insertInto('client_need').values(need(true)).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Bo Lee needs: Spanish.',
  },
  'a skill with dates': {
    day: async () => {
      const id = await kai({ tags: [['Spanish', null, DATE]] });
      await db.insertInto('client_need').values(need(true)).execute();
      const over = { until_date: '2026-12-08' };
      return () => db.updateTable('therapist_tag').set(over).where('therapist_id', '=', id).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 does not have what Bo Lee needs: Spanish',
  },
  'needs that are better met': {
    day: async () => {
      await kai();
      await lou({ tags: ['spanish'] });
      return () => db.insertInto('client_need').values(need(false)).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Bo Lee does best with: Spanish.',
  },
  'a credential with dates': {
    day: async () => {
      const therapist_id = await kai();
      await db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', bo).execute();
      const expired = { therapist_id, credential: 'RBT' as const, until_date: '2026-12-08' };
      return () => db.insertInto('therapist_credential').values(expired).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 does not have the credential',
  },
  'most hours': {
    day: async () => {
      const id = await kai();
      await book(id, await buildClient(db), { date: '2026-12-11' });
      return () => setTherapist(id, { week_minutes: 120 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'most hours a day': {
    day: async () => {
      const id = await kai();
      await book(id, await buildClient(db), { start: '13:00', end: '15:00' });
      return () => setTherapist(id, { day_minutes: 120 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'hours at another location': {
    day: async () => {
      const id = await kai({ hours: { week: 3 } });
      const other = await buildClient(db, { location: 'tampa' });
      return () => book(id, other, { date: '2026-12-11', location: 'tampa', end: '12:00' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'a session at another location at that time': {
    day: async () => {
      const id = await kai();
      const other = await buildClient(db, { location: 'tampa' });
      return () => book(id, other, { start: '08:00', end: '12:00', location: 'tampa' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is booked at another location then',
  },
  'the clinic’s limit of hours': {
    day: async () => {
      const id = await kai();
      await book(id, await buildClient(db), { date: '2026-12-11' });
      return () => saveRules(db, { ...DEFAULT_RULES, week_hours: 2 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'cover of the last 28 days': {
    day: async () => {
      const id = await kai();
      await lou();
      return () => coverMuch(id, '09:00', '12:00');
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Booked 45 min of 40 h that week; no cover in 28 days.',
  },
  'few hours left': {
    day: async () => {
      const id = await kai();
      await lou();
      await book(id, await buildClient(db), { date: '2026-12-11' });
      return () => setTherapist(id, { week_minutes: 300 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Next best: Kai Wood, who would mean heavy extra work for one person and time outside their booked day, without admin time.',
  },
  'guaranteed hours': {
    day: async () => {
      const ids = { kai: await kai(), lou: await lou() };
      // The median of covered hours is lower with two more therapists, who are off that day and have covered nothing.
      for (let n = 0; n < 2; n++) await buildTherapist(db, { windows: [] });
      await coverMuch(ids.kai, '09:00', '12:00');
      await coverMuch(ids.lou, '13:00', '16:00');
      return () => setTherapist(ids.lou, { guaranteed_minutes: 1200 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Booked 45 min of 40 h (20 h guaranteed) that week; covered 9 h in 28 days.',
  },
  'care owed': {
    day: async () => {
      await oneForTwo();
      const before = { start: '09:00', end: '12:00' };
      return async () => {
        for (const date of ['2026-12-01', '2026-12-02']) await book(ana, bo, { ...before, date });
        await book(ana, bo, { ...before, date: '2026-12-03', status: 'cancelled' });
      };
    },
    ...BOTH,
    why: 'Bo Lee lost 3 h of 9 h of care in 28 days.',
  },
  'a priority set by hand': {
    day: async () => {
      await oneForTwo();
      return () => db.updateTable('client').set({ priority: 150 }).where('id', '=', bo).execute();
    },
    ...BOTH,
    why: 'Bo Lee’s priority is 150%, set by hand.',
  },
  'an authorization': {
    day: async () => {
      const mo = await oneForTwo();
      return () => buildAuthorization(db, mo, { units: 100, until: '2026-12-08' });
    },
    ...BOTH,
    why: 'No authorization pays for this session on Wed, Dec 9.',
    of: 'Mo Diaz',
  },
  'what a payer requires': {
    day: async () => {
      await kai();
      await lou({ tags: ['Acme enrollment'] });
      await buildAuthorization(db, bo, { units: 100 });
      const acme = { name_key: 'acme', name: 'Acme', credential: null, tag: 'Acme enrollment' };
      return () => db.insertInto('payer').values(acme).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Acme requires: Acme enrollment.',
  },
  'the credential that a payer requires': {
    day: async () => {
      await kai({ specialization: 'BT' });
      await lou();
      await buildAuthorization(db, bo, { units: 100 });
      const acme = { name_key: 'acme', name: 'Acme', credential: 'RBT' as const, tag: null };
      return () => db.insertInto('payer').values(acme).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Acme requires: RBT.',
  },
  supervision: {
    day: async () => {
      const [sue = '', sid = '', sam = ''] = await Promise.all(
        ['Sue', 'Sid', 'Sam'].map((first) => buildTherapist(db, { first, last: 'Fox', specialization: 'BCBA' })),
      );
      const rbt = await kai();
      const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
      await book(rbt, mo);
      const supervise = (who: string, client: string, date = DATE) =>
        book(who, client, { date, end: '10:00', service: 'supervision', subject: 'Supervision' });
      await supervise(sue, bo);
      await supervise(sid, mo);
      await metBefore(sam, bo);
      // The only free supervisor is on Mo's team.
      for (const date of ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']) await book(sam, mo, { date });
      return async () => {
        for (const date of ['2026-12-02', '2026-12-03']) {
          await book(rbt, mo, { date });
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
      const [inside, other] = [await kai(), await buildTherapist(db, { first: 'Lou', last: 'Vance' })];
      const early = { start: '08:00', end: '09:00' };
      await book(inside, await buildClient(db), early);
      await book(inside, null, { end: '10:00' });
      const own = await book(other, await buildClient(db), early);
      return () =>
        db
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
        therapist_id: await kai(),
        client_id: null,
        scope: 'session' as const,
        sessions: [session],
        said_to: '[]',
        until_minute: null,
        away: '[]',
        wall_minute: 440,
        at: '2026-11-20T12:20:00Z',
        account_id: staff.accountId,
        ended_at: null,
        ended_by: null,
        answer_id: null,
      };
      return () => db.insertInto('call_decline').values(refusal).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 said no to this session',
  },
};

const need = (must: boolean) => ({ client_id: bo, tag: 'Spanish', tag_key: 'spanish', must });

async function planFor(away: readonly string[]): Promise<ProposalReply> {
  const reply = await saveAbsences(
    staff,
    away.map((therapist) => ({ therapist, date: DATE })),
  );
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ProposalReply>();
}

/** For example `Bo Lee: Kai Wood`, sorted by client. */
const taken = ({ data }: ProposalReply): string =>
  Object.entries(data[DATE] ?? {})
    .map(([client, options]) => {
      const cells = Object.values(options['Option 1'] ?? {}).map((cell) => cell.therapist);
      return `${client}: ${[...new Set(cells)].join(' and ')}`;
    })
    .sort()
    .join(', ');

const sentences = (why: Explanation): string[] => [
  ...why.about,
  ...why.speaks_for,
  ...why.costs,
  ...[why.hours ?? [], why.next_best?.difference ?? []].flat(),
  ...why.excluded.map(({ reason }) => reason),
];

test.each(Object.entries(DAYS))(
  'given two days that differ only in %s, their plans differ too, and the explanation says why',
  async (_, day) => {
    const away = day.away ?? ['Ana Ruiz'];
    const apply = await day.day();
    expect(taken(await planFor(away))).toBe(day.without);
    await apply();
    const reply = await planFor(away);
    expect(taken(reply)).toBe(day.with);
    const why = await explainFirst(staff, reply, DATE, day.of ?? 'Bo Lee');
    expect(sentences(why)).toContain(day.why);
    if (why.excluded.length > 0) expect(why.excluded.reduce((n, { count }) => n + count, 0)).toBe(why.therapists);
  },
);
