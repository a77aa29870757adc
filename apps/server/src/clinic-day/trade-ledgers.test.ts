import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, codeOf, isoDate, supervisionOn, monthOf, unitsOf, type IsoDate } from '@clinic/domain';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildNo, NOES } from '../testing/declines.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { codeColumn, selectAuthorizations } from './authorizations.ts';
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
const stamp = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;

/** One event in a random history. Times are in quarter hours. */
const happening = fc.record({
  day: fc.integer({ min: 0, max: DAYS }),
  start: fc.integer({ min: 32, max: 60 }),
  length: fc.integer({ min: 1, max: 12 }),
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
        values ('altamonte', ${therapist}, ${child}, ${date}, ${start * 15}, ${(start + length) * 15},
          ${kind === 'withdrawn' ? '2026-10-01' : null}) on conflict do nothing`.execute(db);
      continue;
    }
    const isSupervision = kind === 'supervision';
    const [own, other] = isSupervision ? [people.bcba, people.rbt] : [people.rbt, people.bcba];
    const key = await buildAppointment(db, {
      date,
      client: who,
      start: stamp(start),
      end: stamp(start + length),
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
  /** The quarter hours when neither therapist nor client is away. */
  readonly quarters: readonly number[];
}

/**
 * The sessions that take place and that their therapist has not declined, read row by row, each with the quarter hours when neither therapist nor client is away.
 */
async function sessionsThatTakePlace(): Promise<Row[]> {
  const { db } = database;
  const sessions = await db.selectFrom('appointment').selectAll().where('occupies', '=', true).execute();
  const declines = await db.selectFrom('call_decline').selectAll().where('ended_at', 'is', null).execute();
  const absences = await db.selectFrom('absence').selectAll().where('withdrawn_at', 'is', null).execute();
  const quarterOf = (text: string): number => Number(text.slice(11, 13)) * 4 + Number(text.slice(14, 16)) / 15;
  return sessions.flatMap(
    ({ id, parent_id, location, therapist_id: who, client_id: client, service, starts, ends }) => {
      if (who === null || client === null) return [];
      const date = isoDate(starts.slice(0, 10));
      const said = declines.filter((d) => d.therapist_id === who && d.date === date && d.location === location);
      if (said.some((d) => d.sessions.includes(parent_id ?? id))) return [];
      const own = absences.filter((a) => a.date === date && (a.therapist_id === who || a.client_id === client));
      const quarters = Array.from({ length: quarterOf(ends) - quarterOf(starts) }, (_, i) => quarterOf(starts) + i);
      const there = quarters.filter((q) => !own.some((a) => a.start_minute <= q * 15 && q * 15 < a.end_minute));
      return [{ id, who, client, service, date, quarters: there }];
    },
  );
}

const history = fc.array(happening, { maxLength: 40 });
const someDay = fc.integer({ min: 0, max: DAYS }).map((day) => addDays(FIRST, day));

test('over random histories, supervision matches an independent recount of the rows to the minute', async () => {
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
          for (const quarter of own.quarters) {
            if (dates(own.date)) direct.add(`${own.date} ${quarter}`);
            for (const each of rows) {
              if (each.service !== 'supervision' || each.client !== own.client || each.date !== own.date) continue;
              if (!each.quarters.includes(quarter) || !dates(own.date)) continue;
              contacts.add(each.id);
              supervised.add(`${own.date} ${quarter}`);
            }
          }
        }
        return { direct: direct.size * 15, minutes: supervised.size * 15, contacts: contacts.size };
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

test('over random histories, used units match an independent recount of the rows', async () => {
  const { db } = database;
  const plans = (['total', 'week', 'month'] as const).flatMap((period) =>
    (['97153', '97155'] as const).map((code) => ({ period, code, from: '2026-10-28', until: '2026-11-30', units: 99 })),
  );
  for (const plan of plans) await buildAuthorization(db, people.clients[0] ?? '', plan);
  await fc.assert(
    fc.asyncProperty(history, someDay, async (all, date) => {
      await store(all);
      const rows = await sessionsThatTakePlace();
      const { live, clients } = await selectAuthorizations(db, people.clients, date);
      expect([...clients]).toEqual(people.clients.slice(0, 1));
      expect(live.length).toBe(date >= '2026-10-28' && date <= '2026-11-30' ? plans.length : 0);
      for (const { period, code, used } of live) {
        const minutes = new Map<IsoDate, number>();
        for (const row of rows) {
          if (row.client !== people.clients[0] || row.date >= date || row.date < '2026-10-28') continue;
          if (code !== (row.service === 'direct' ? '97153' : '97155')) continue;
          const monday = addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
          if (period === 'week' && row.date < monday) continue;
          if (period === 'month' && row.date.slice(0, 7) !== date.slice(0, 7)) continue;
          minutes.set(row.date, (minutes.get(row.date) ?? 0) + row.quarters.length * 15);
        }
        expect(used).toBe([...minutes.values()].reduce((n, each) => n + unitsOf(each), 0));
      }
    }),
    { numRuns: 20 },
  );
}, 120_000);

test('the database and the domain package give a session the same billing code', async () => {
  const subjects = [
    'Direct Therapy',
    'Social GROUP',
    'Groups',
    '97155 Protocol',
    'Room 197158',
    'Assessment',
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
