// Over 250 lines: both ledgers are recounted from the same random histories.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDays,
  authorizationIdentity,
  codeOf,
  formatTime,
  isoDate,
  monthOf,
  supervisionOn,
  unitsOf,
  type IsoDate,
} from '@clinic/domain';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildNo, NOES } from '../../testing/declines.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { codeColumn, firstUnpaid, selectAuthorizations, selectAuthorizedSessions } from './authorizations.ts';
import { selectSupervision } from './supervision.ts';

let database: TestDatabase;
let people: { rbt: string; bcba: string; clients: string[] };
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  people = {
    rbt: await buildTherapist(db, { first: 'Ana', last: 'Ledger' }),
    bcba: await buildTherapist(db, { first: 'Sue', last: 'Ledger', specialization: 'BCBA' }),
    clients: [await buildClient(db, { first: 'Bo', last: 'One' }), await buildClient(db, { first: 'Mo', last: 'Two' })],
  };
});
afterAll(() => database.close());

const FIRST = isoDate('2026-10-26'); // a Monday
const DAYS = 40;

/** One event in a random history. Times are in minutes, since imported sessions begin off the quarter hour too. */
const happening = fc.record({
  day: fc.integer({ min: 0, max: DAYS }),
  start: fc.integer({ min: 480, max: 900 }),
  length: fc.integer({ min: 1, max: 180 }),
  client: fc.integer({ min: 0, max: 1 }),
  kind: fc.constantFrom(
    ...(['direct', 'direct', 'direct', 'supervision', 'supervision', 'open', 'cancelled', 'rbt away'] as const),
    ...(['bcba away', 'client away', 'withdrawn'] as const),
  ),
  no: fc.constantFrom(...NOES),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

async function store(all: readonly Happening[]): Promise<void> {
  const { db } = database;
  await sql`delete from call_decline`.execute(db);
  await sql`delete from appointment`.execute(db);
  await sql`delete from absence`.execute(db);
  for (const { day, start, length, client, kind, no } of all) {
    const [date, who] = [addDays(FIRST, day), people.clients[client] ?? ''];
    if (kind.endsWith('away') || kind === 'withdrawn') {
      const [therapist, child] =
        kind === 'client away' ? [null, who] : [kind === 'bcba away' ? people.bcba : people.rbt, null];
      await sql`insert into absence (location, therapist_id, client_id, date, start_minute, end_minute, withdrawn_at)
        values ('altamonte', ${therapist}, ${child}, ${date}, ${start}, ${start + length},
          ${kind === 'withdrawn' ? '2026-10-01' : null}) on conflict do nothing`.execute(db);
      continue;
    }
    const isSupervision = kind === 'supervision';
    const [own, other] = isSupervision ? [people.bcba, people.rbt] : [people.rbt, people.bcba];
    const key = await buildAppointment(db, {
      date,
      client: who,
      start: formatTime(start),
      end: formatTime(start + length),
      therapist: kind === 'open' ? null : own,
      ...(isSupervision ? { service: 'supervision' as const, subject: 'Supervision' } : {}),
      ...(kind === 'cancelled' ? { status: 'cancelled' as const } : {}),
      clash: 'all', // random times overlap, as imported sessions may
    });
    await buildNo(db, no, { key, therapist: own, date, other });
  }
}

interface Row {
  readonly id: string;
  readonly who: string;
  readonly client: string;
  readonly service: string;
  readonly date: IsoDate;
  /** The minutes when neither therapist nor client is away. */
  readonly minutes: readonly number[];
}

/**
 * The sessions that take place and that their therapist has not declined, read row by row, each with the minutes when
 * neither therapist nor client is away.
 */
async function sessionsThatTakePlace(): Promise<Row[]> {
  const { db } = database;
  const sessions = await db.selectFrom('appointment').selectAll().where('occupies', '=', true).execute();
  const declines = await db.selectFrom('call_decline').selectAll().where('ended_at', 'is', null).execute();
  const absences = await db.selectFrom('absence').selectAll().where('withdrawn_at', 'is', null).execute();
  const minuteOf = (text: string): number => Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16));
  return sessions.flatMap(
    ({ id, parent_id, location, therapist_id: who, client_id: client, service, starts, ends }) => {
      if (who === null || client === null) return [];
      const date = isoDate(starts.slice(0, 10));
      const said = declines.filter((d) => d.therapist_id === who && d.date === date && d.location === location);
      if (said.some((d) => d.sessions.includes(parent_id ?? id))) return [];
      const own = absences.filter((a) => a.date === date && (a.therapist_id === who || a.client_id === client));
      const all = Array.from({ length: minuteOf(ends) - minuteOf(starts) }, (_, i) => minuteOf(starts) + i);
      const minutes = all.filter((at) => !own.some((a) => a.start_minute <= at && at < a.end_minute));
      return [{ id, who, client, service, date, minutes }];
    },
  );
}

const history = fc.array(happening, { maxLength: 40 });
const crowded = fc.array(happening, { minLength: 20, maxLength: 60 });
const someDay = fc.integer({ min: 0, max: DAYS }).map((day) => addDays(FIRST, day));

test('over random histories, supervision matches, to the minute, an independent count of the rows', async () => {
  const rules = { supervision_percent: 5, supervision_contacts: 2 };
  await fc.assert(
    fc.asyncProperty(history, someDay, async (all, date) => {
      await store(all);
      const rows = await sessionsThatTakePlace();
      const { first, last } = monthOf(date);
      const found = (await selectSupervision(database.db, [people.rbt], [first, last])).get(people.rbt) ?? [];
      const count = (dates: (each: IsoDate) => boolean) => {
        const contacts = new Set<string>();
        const [direct, supervised] = [new Set<string>(), new Set<string>()];
        for (const own of rows.filter((row) => row.service === 'direct' && row.date >= first && row.date <= last)) {
          for (const minute of own.minutes) {
            if (dates(own.date)) direct.add(`${own.date} ${minute}`);
            for (const each of rows) {
              if (each.service !== 'supervision' || each.client !== own.client || each.date !== own.date) continue;
              if (!each.minutes.includes(minute) || !dates(own.date)) continue;
              contacts.add(each.id);
              supervised.add(`${own.date} ${minute}`);
            }
          }
        }
        return { direct: direct.size, minutes: supervised.size, contacts: contacts.size };
      };
      const { direct, before, on, after } = supervisionOn(found, date, rules);
      const amountOf = ({ minutes, contacts }: ReturnType<typeof count>) => ({ minutes, contacts });
      expect(direct).toBe(count(() => true).direct);
      expect([before, on, after]).toEqual([
        amountOf(count((each) => each < date)),
        amountOf(count((each) => each === date)),
        amountOf(count((each) => each > date)),
      ]);
    }),
    { numRuns: 20 },
  );
}, 120_000);

/** A random authorization of the first client: often used up, and often valid at the same time as others for its code. */
const grant = fc.record({
  code: fc.constantFrom('97153', '97153', '97155'),
  period: fc.constantFrom('total', 'total', 'week', 'month'),
  from: fc.integer({ min: -10, max: 20 }),
  length: fc.integer({ min: 0, max: 40 }),
  units: fc.integer({ min: 1, max: 12 }),
  number: fc.constantFrom('', 'A', 'B'),
  payer: fc.constantFrom('Acme', 'Sunrise'),
  /** Units used through a date, which is so many days after the first one. */
  prior: fc.option(fc.record({ units: fc.integer({ min: 1, max: 14 }), after: fc.integer({ min: 0, max: 15 }) })),
});
type Plan = typeof grant extends fc.Arbitrary<infer T> ? T : never;

interface Grant {
  readonly id: string;
  readonly code: string;
  readonly period: string;
  readonly from_date: string;
  readonly until_date: string;
  readonly units: number;
  readonly number: string;
  readonly payer: string;
  readonly prior_units: number | null;
  readonly prior_until: string | null;
}

/** Stores authorizations for the first client; of those that the database takes for the same one, only the first. */
async function storeGrants(grants: readonly Plan[]): Promise<Grant[]> {
  const { db } = database;
  await db.deleteFrom('client_authorization').execute();
  const identities = new Set<string>();
  for (const { from, length, prior, ...plan } of grants) {
    const from_date = addDays(FIRST, from);
    const identity = authorizationIdentity({ ...plan, from_date }).join();
    if (identities.has(identity)) continue;
    identities.add(identity);
    await buildAuthorization(db, people.clients[0] ?? '', {
      ...plan,
      from: from_date,
      until: addDays(from_date, length),
      ...(prior === null ? {} : { prior: { units: prior.units, until: addDays(from_date, prior.after) } }),
    });
  }
  return db.selectFrom('client_authorization').selectAll().execute();
}

/** The days of a date's week or month, or all days. */
function samePeriod({ period }: Grant, a: string, b: string): boolean {
  if (period === 'month') return a.slice(0, 7) === b.slice(0, 7);
  const week = (date: string) => Math.floor((Date.parse(date) / 86_400_000 + 3) / 7);
  return period === 'total' || week(a) === week(b);
}

/** How many units a recount took from an authorization because the one that ends before it was used up. */
let handedOn = 0;

/**
 * Hands out the units of these sessions one at a time, from the first day of all, each to the authorization that ends
 * first and has one left, otherwise to the last one. An authorization is filled up to its prior units at the end of their
 * date; on that date itself, before its sessions. Returns the dates of each authorization's units.
 */
function recount(grants: readonly Grant[], rows: readonly Row[], seenOn: IsoDate): Map<Grant, IsoDate[]> {
  const given = new Map(grants.map((each) => [each, [] as IsoDate[]]));
  const order = ({ until_date, from_date, number, payer }: Grant) => [until_date, from_date, number, payer].join('|');
  const sorted = [...grants].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const fillUp = (date: IsoDate): void => {
    for (const [own, dates] of given)
      if (own.prior_until === date)
        while (dates.filter((d) => samePeriod(own, d, date)).length < (own.prior_units ?? 0)) dates.push(date);
  };
  for (let date = addDays(FIRST, -10); date <= addDays(FIRST, DAYS); date = addDays(date, 1)) {
    if (date === seenOn) fillUp(date);
    for (const code of ['97153', '97155']) {
      const service = code === '97153' ? 'direct' : 'supervision';
      const that = rows.filter(
        (row) => row.date === date && row.service === service && row.client === people.clients[0],
      );
      const valid = sorted.filter((own) => own.code === code && own.from_date <= date && date <= own.until_date);
      for (let unit = 0; unit < unitsOf(that.reduce((n, row) => n + row.minutes.length, 0)); unit++) {
        const free = valid.find((own) => given.get(own)!.filter((d) => samePeriod(own, d, date)).length < own.units);
        if (free && free !== valid[0]) handedOn++;
        given.get(free ?? valid.at(-1)!)?.push(date);
      }
    }
    if (date < seenOn) fillUp(date);
  }
  return given;
}

test('over random histories with overlapping and used-up authorizations, the units drawn from each match an independent count', async () => {
  const { db } = database;
  const [client = ''] = people.clients;
  await fc.assert(
    fc.asyncProperty(crowded, someDay, fc.array(grant, { minLength: 2, maxLength: 7 }), async (all, date, plans) => {
      await store(all);
      const grants = await storeGrants(plans);
      const rows = await sessionsThatTakePlace();
      const usedBy = (until: IsoDate) => {
        const given = recount(
          grants,
          rows.filter((row) => row.date < until),
          date,
        );
        return ({ id }: { id: string }): number => {
          const [own, dates] = [...given].find(([each]) => each.id === id)!;
          return dates.filter((each) => samePeriod(own, each, date)).length;
        };
      };
      const isValid = (own: Grant): boolean => own.from_date <= date && date <= own.until_date;
      const { live, clients } = await selectAuthorizations(db, people.clients, date, null);
      expect([...clients]).toEqual([client]);
      expect(live.map(({ id }) => id).sort()).toEqual(
        grants
          .filter(isValid)
          .map(({ id }) => id)
          .sort(),
      );
      const used = usedBy(date);
      expect(live.map((own) => own.used)).toEqual(live.map(used));
      // The sessions behind each figure add up to it, unless it contains units recorded without sessions.
      const sessions = await selectAuthorizedSessions(db, client, date);
      const sums = live.map(({ id }) => sessions.reduce((n, s) => n + (s.authorization === id ? s.units : 0), 0));
      const isSum = live.map(({ prior_units }, i) => prior_units === null || sums[i]! > used(live[i]!));
      expect(sums.filter((_, i) => isSum[i])).toEqual(live.map(used).filter((_, i) => isSum[i]));
      // Booking by hand asks when nothing is left after the sessions of that date.
      const after = usedBy(addDays(date, 1));
      const left = grants.some((own) => isValid(own) && own.code === '97153' && own.units > after(own));
      const booking = { date, service: 'direct' as const, subject: 'Direct Therapy', start: 600, end: 660 };
      const now = { date: addDays(date, 1), cut: 0 };
      expect(await firstUnpaid(db, client, [booking], now)).toBe(left ? null : date);
    }),
    { numRuns: 40 },
  );
  expect(handedOn).toBeGreaterThan(0);
}, 120_000);

test('the database and the domain package give a session the same billing code', async () => {
  const subjects = [
    'Direct Therapy',
    'Social GROUP',
    'Groups',
    '97155 Protocol',
    'Room 197158',
    'Assessment',
    ' Initial ASSESSMENT',
    'Re-assessment (home)',
    'Assessments',
    'Assessment_2',
    'Supervision of an assessment',
    '',
    '97155 during 97153',
  ];
  for (const service of ['direct', 'supervision', 'parent-training'] as const) {
    const { rows } = await sql<{ code: string | null }>`
      select ${codeColumn} as code from unnest(${subjects}::text[]) with ordinality as s (subject, at),
        (select ${service} as service) k order by at`.execute(database.db);
    expect(rows.map(({ code }) => code)).toEqual(subjects.map((subject) => codeOf(service, subject)));
  }
});
