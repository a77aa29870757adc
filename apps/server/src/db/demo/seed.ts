import { readFileSync } from 'node:fs';
import {
  addDays,
  BILLING_CODES,
  isoDate,
  locationValues,
  LOSS_SIDES,
  nameKey,
  parseTime,
  serviceOfSubject,
  type Interval,
  type IsoDate,
  type Location,
  type LossSide,
  type Service,
} from '@clinic/domain';
import { sql } from 'kysely';
import type { Db } from '../connection.ts';
import { shownAs } from '../profile-names.ts';

/** A row of a file in `seed/`: its cells by the names of their columns. */
type Row = Readonly<Record<string, string>>;

/** Reads a file of `seed/`. No cell contains a comma. */
export function readSeed(name: string): Row[] {
  const [head = '', ...lines] = readFileSync(new URL(`seed/${name}.csv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']));
  });
}

/** What a cell stores: nothing if it is empty, the empty text for `""`, and the date for `today-9`. */
function valueOf(cell: string, today: IsoDate): string | null {
  if (cell === '') return null;
  if (cell === '""') return '';
  const days = /^today([+-]\d+)$/.exec(cell)?.[1];
  return days === undefined ? cell : addDays(today, Number(days));
}

/** The tables of people, in the order in which they are filled; each has a file with its columns. */
const TABLES = [
  'therapist',
  'therapist_availability',
  'therapist_tag',
  'therapist_credential',
  'client',
  'client_restriction',
  'client_need',
  'contact',
] as const;

/** What payers require, and which codes they pay for at the same time. Nothing is recorded for Medicaid. */
const PAYERS = [
  { name: 'Sunrise Health', credential: null, tag: 'Sunrise enrollment', concurrent: ['97153+97155'] },
  { name: 'Gulf Mutual', credential: null, tag: null, concurrent: [] },
  { name: 'Harbor Plan', credential: 'RBT', tag: null, concurrent: ['97153+97155', '97153+97156'] },
];

/** Inserts everyone in the demo clinic, with all that is recorded about them, as of today. */
export async function insertPeople(db: Db, today: IsoDate): Promise<void> {
  for (const table of TABLES) {
    const rows = readSeed(table).map((row) => ({
      ...Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, valueOf(cell, today)])),
      ...(row['first_name'] === undefined ? {} : shownAs(`${row['first_name']} ${row['last_name']}`)),
      ...(row['tag'] === undefined ? {} : { tag_key: nameKey(row['tag']) }),
    }));
    await insert(db, table, rows);
  }
  await insert(
    db,
    'payer',
    PAYERS.map((payer) => ({ name_key: nameKey(payer.name), ...payer })),
  );
  await insert(
    db,
    'client_authorization',
    readSeed('client_authorization').flatMap((row) => authorizationsOf(row, today)),
  );
}

/**
 * A client's authorizations: so many units of direct therapy each week, and 100 hours of most other codes, which have
 * not expired even if that for direct therapy has.
 */
function authorizationsOf({ client_id, payer, number, until_date = '', week_units }: Row, today: IsoDate): object[] {
  return BILLING_CODES.filter((code) => code !== '97152' && code !== '97157').map((code) => {
    const direct = code === '97153';
    const lasts = !direct && until_date.startsWith('today-') ? 'today+60' : until_date;
    const until = isoDate(valueOf(lasts, today) ?? '');
    const granted = direct ? { units: week_units, period: 'week' } : { units: 400, period: 'total' };
    return { client_id, payer, code, number, from_date: addDays(until, -180), until_date: until, ...granted };
  });
}

async function insert(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  );
}

/** What happened to a past session, in one of the last six weeks. */
export type Happened =
  | { readonly kind: 'cancelled'; readonly cause: string | null; readonly by: LossSide | null; readonly late: boolean }
  | { readonly kind: 'no-show' }
  | { readonly kind: 'make-up' }
  /** `refused` said no before the therapist was asked. */
  | { readonly kind: 'stand-in'; readonly therapist: string; readonly refused: string | null };

/** A session of the usual week. */
export interface WeeklySession extends Interval {
  readonly location: Location;
  /** The day of the week; 0 is Sunday. */
  readonly day: number;
  /** Ids; null for administrative time, and for a session without a therapist. */
  readonly client: string | null;
  readonly therapist: string | null;
  readonly service: Service;
  readonly subject: string;
  /** 2 for the second therapist of a client who needs two. */
  readonly seat: 1 | 2;
  /** Whether several children share the session. */
  readonly group: boolean;
  /** For a session that takes place only every other week: which. */
  readonly weeks: 'even' | 'odd' | null;
  /** What happens when today is its day. */
  readonly today: 'cancelled' | 'no-show' | null;
  /** What happened to it in past weeks, by the week's number from 0 to 5; most sessions took place. */
  readonly past: ReadonlyMap<number, Happened>;
}

/** Reads the usual week of all locations. */
export function readWeek(): WeeklySession[] {
  return readSeed('week').map(({ day, start, end, subject = '', ...row }) => {
    const client = row['client'] || null;
    const location = oneOf(locationValues(), row['location']);
    if (location === null) throw new Error(`the demo's week has no location '${row['location']}'`);
    return {
      location,
      day: Number(day),
      start: parseTime(start ?? '') ?? NaN,
      end: parseTime(end ?? '') ?? NaN,
      client,
      therapist: row['therapist'] || null,
      service: client === null ? 'admin' : serviceOfSubject(subject),
      subject,
      seat: row['seat'] === '2' ? 2 : 1,
      group: subject === 'Social Skills Group',
      weeks: oneOf(['even', 'odd'], row['weeks']),
      today: oneOf(['cancelled', 'no-show'], row['today']),
      past: new Map((row['past'] ?? '').split('; ').filter(Boolean).map(happenedIn)),
    };
  });
}

/** Reads `3 cancelled sick family late`, `0 no-show`, `4 make-up` and `5 T-0001 after T-0002`. */
function happenedIn(text: string): [week: number, Happened] {
  const [week, what = '', cause = null, ...more] = text.split(' ');
  const happened = (): Happened => {
    if (what === 'no-show' || what === 'make-up') return { kind: what };
    if (what !== 'cancelled') return { kind: 'stand-in', therapist: what, refused: more[0] ?? null };
    return { kind: what, cause, by: oneOf(LOSS_SIDES, more[0]), late: more.includes('late') };
  };
  return [Number(week), happened()];
}

const oneOf = <T extends string>(list: readonly T[], text = ''): T | null => list.find((each) => each === text) ?? null;
