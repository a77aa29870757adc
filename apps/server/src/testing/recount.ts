// This file is over 250 lines because every figure is counted from the same minutes of the same rows.
import { sql } from 'kysely';
import { addDays, mondayOf, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/** A time on a date, and what was said about a loss of it. */
interface Lossy {
  readonly id: string;
  readonly date: IsoDate;
  readonly start: number;
  readonly end: number;
  readonly cause: string | null;
  readonly side: string | null;
  readonly known: string | null;
}

/** An appointment, except deleted ones, as the recount reads it. */
export interface RecountedRow extends Lossy {
  readonly root: string;
  readonly location: Location;
  readonly client: string | null;
  readonly therapist: string | null;
  readonly booked: string | null;
  readonly service: string;
  readonly subject: string;
  readonly occupies: boolean;
}
interface Away extends Lossy {
  readonly who: string;
  readonly client: boolean;
}
interface No {
  readonly therapist: string;
  readonly client: string | null;
  readonly date: IsoDate;
  readonly location: Location;
  readonly sessions: string[];
}
interface Grant {
  readonly id: string;
  readonly client: string;
  readonly payer: string;
  readonly code: string;
  readonly number: string;
  readonly from: IsoDate;
  readonly until: IsoDate;
  readonly units: number;
  readonly period: 'total' | 'week' | 'month';
  readonly prior: number | null;
  readonly through: IsoDate | null;
}

/** What became of one minute of a session with a client. */
interface Minute {
  readonly at: number;
  readonly is: 'kept' | 'lost' | 'open';
  readonly cause: string;
  readonly side: string;
}

/** The clinic's time, and the end of the quarter hour up to which today counts as past. */
export interface RecountNow {
  readonly date: IsoDate;
  readonly minute: number;
}

const CODES: readonly [RegExp, string][] = [
  [/parent training/i, '97156'],
  [/^assessment$/i, '97151'],
  [/^supervision$/i, '97155'],
  [/\bgroup\b/i, '97154'],
];
const codeOfSubject = (subject: string): string =>
  /9715[1-8]/.exec(subject)?.[0] ?? CODES.find(([words]) => words.test(subject))?.[1] ?? '97153';

const clock = (at: number): string =>
  `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}:00`;
const count = (map: Map<string, number>, key: string, by = 1): void => void map.set(key, (map.get(key) ?? 0) + by);

/**
 * Counts the figures of ledgers and reports from the rows of the database, minute by minute, without the product's own
 * functions: as a clerk would, with pencil and paper.
 */
export class Recount {
  private readonly rows: readonly RecountedRow[];
  private readonly aways: readonly Away[];
  private readonly noes: readonly No[];
  private readonly grants: readonly Grant[];
  private readonly concurrent: ReadonlyMap<string, readonly string[] | null>;
  private readonly now: RecountNow;
  private readonly minutes = new Map<RecountedRow, readonly Minute[]>();

  private constructor(all: Tables, now: RecountNow) {
    [this.rows, this.aways, this.noes, this.grants] = [all.rows, all.aways, all.noes, all.grants];
    this.concurrent = new Map(all.payers.map(({ name, pairs }) => [name, pairs]));
    this.now = now;
  }

  static async of(db: Db, now: RecountNow): Promise<Recount> {
    const [rows, aways, noes, grants, payers] = [
      await sql<RecountedRow>`
        select a.id, coalesce(a.parent_id, a.id) as root, a.location, a.client_id as client, a.therapist_id as therapist,
          a.booked_therapist_id as booked, a.service, a.subject, a.status in ('pending', 'booked', 'fulfilled') as occupies,
          a.starts::date as date, (extract(epoch from a.starts - a.starts::date) / 60)::int as start,
          (extract(epoch from a.ends - a.starts::date) / 60)::int as end, a.cause_id as cause,
          coalesce(a.lost_by, c.lost_by) as side, a.known_at as known
        from appointment a left join cause c on c.id = a.cause_id
        where a.status <> 'entered-in-error' order by a.starts, a.id`.execute(db),
      await sql<Away>`
        select a.id, coalesce(a.therapist_id, a.client_id) as who, a.client_id is not null as client, a.date,
          a.start_minute as start, a.end_minute as end, a.cause_id as cause, coalesce(a.lost_by, c.lost_by) as side,
          a.known_at as known
        from absence a left join cause c on c.id = a.cause_id where a.withdrawn_at is null`.execute(db),
      await sql<No>`select therapist_id as therapist, client_id as client, date, location, sessions from call_decline
        where ended_at is null`.execute(db),
      await sql<Grant>`select id, client_id as client, payer, code, number, from_date as from, until_date as until, units,
        period, prior_units as prior, prior_until as through from client_authorization`.execute(db),
      await sql<{ name: string; pairs: string[] | null }>`select name, concurrent as pairs from payer`.execute(db),
    ];
    return new Recount(
      { rows: rows.rows, aways: aways.rows, noes: noes.rows, grants: grants.rows, payers: payers.rows },
      now,
    );
  }

  private isAway = (who: string | null, date: IsoDate, at: number): boolean =>
    this.aways.some((a) => a.who === who && a.date === date && a.start <= at && at < a.end);

  private noOf = (row: RecountedRow): No | undefined =>
    this.noes.find(
      (n) =>
        n.therapist === row.therapist &&
        n.date === row.date &&
        n.location === row.location &&
        n.sessions.includes(row.root),
    );

  private isPast = (date: IsoDate, at: number): boolean =>
    date < this.now.date || (date === this.now.date && at < Math.ceil(this.now.minute / 15) * 15);

  /** The client's absence whose cause is that of the whole cancelled session. */
  private whyCancelled(row: RecountedRow): Away | undefined {
    if (row.occupies) return undefined;
    const from = (a: Away): number => Math.max(a.start, row.start);
    return this.aways
      .filter((a) => a.who === row.client && a.date === row.date && a.start < row.end && row.start < a.end)
      .filter((a) => a.cause !== null)
      .sort((a, b) => from(a) - from(b))[0];
  }

  /** Every minute of a session with a client. */
  private minutesOf(row: RecountedRow): readonly Minute[] {
    const known = this.minutes.get(row);
    if (known) return known;
    const no = this.noOf(row);
    const list: Minute[] = [];
    for (let at = row.start; at < row.end; at++) {
      const here = this.aways.filter((a) => a.date === row.date && a.start <= at && at < a.end);
      const ofClient = here.find((a) => a.who === row.client);
      const uncovered = row.therapist === null || no !== undefined || here.some((a) => a.who === row.therapist);
      if (row.occupies && !ofClient && !uncovered) {
        list.push({ at, is: 'kept', cause: '', side: '' });
        continue;
      }
      if (row.occupies && !ofClient && !this.isPast(row.date, at)) {
        list.push({ at, is: 'open', cause: '', side: '' });
        continue;
      }
      const own = !row.occupies && row.cause !== null ? row : undefined;
      const absent = own
        ? undefined
        : (this.whyCancelled(row) ??
          ofClient ??
          (row.occupies
            ? (here.find((a) => a.who === row.therapist) ??
              here.find((a) => a.who === row.booked && row.booked !== null))
            : undefined));
      const said = own ?? absent ?? row;
      const saidNo = no && (no.client === null ? 'therapist' : no.client === row.client ? 'family' : 'clinic');
      const side =
        said.side ??
        (own || absent?.client ? 'family' : absent ? 'therapist' : row.occupies ? (saidNo ?? 'clinic') : 'family');
      list.push({ at, is: 'lost', cause: said.cause ?? '', side });
    }
    this.minutes.set(row, list);
    return list;
  }

  private care = (is: (row: RecountedRow) => boolean): RecountedRow[] =>
    this.rows.filter((row) => row.client !== null && is(row));

  /** Hours of a therapist around a date. */
  hours(who: string, date: IsoDate) {
    const monday = mondayOf(date);
    const add = (from: IsoDate, until: IsoDate, cover: boolean, past: boolean): number => {
      const found = new Set<string>();
      for (const row of this.rows) {
        if (row.therapist !== who || !row.occupies || row.date < from || row.date > until || this.noOf(row)) continue;
        if (cover && (row.booked === null || row.booked === who)) continue;
        for (let at = row.start; at < row.end; at++)
          if (!this.isAway(who, row.date, at))
            if (!past || row.date < this.now.date || (row.date === this.now.date && at < this.now.minute))
              found.add(`${row.date} ${at}`);
      }
      return found.size;
    };
    return {
      booked: add(monday, addDays(monday, 6), false, false),
      worked: add(monday, addDays(monday, 6), false, true),
      cover_7: add(addDays(date, -6), date, true, false),
      cover_28: add(addDays(date, -27), date, true, false),
    };
  }

  /** The figures of these sessions, as in a report. */
  report(is: (row: RecountedRow) => boolean) {
    const total = { booked: 0, kept: 0, lost: 0, open: 0, covered: 0, made_up: 0 };
    const causes = new Map<string, number>();
    const sides = new Map<string, number>();
    const worked = new Set<string>();
    const cover = new Map<string, Set<string>>();
    for (const row of this.care(is))
      for (const { at, is: what, cause, side } of this.minutesOf(row)) {
        total.booked++;
        total[what]++;
        if (what === 'lost') {
          count(causes, cause);
          count(sides, side);
        }
        if (what !== 'kept') continue;
        worked.add(`${row.therapist} ${row.date} ${at}`);
        if (/make-up/i.test(row.subject)) total.made_up++;
        if (row.booked === null || row.booked === row.therapist) continue;
        total.covered++;
        const own = cover.get(row.therapist ?? '') ?? new Set();
        cover.set(row.therapist ?? '', own.add(`${row.date} ${at}`));
      }
    return { total, causes, sides, worked: worked.size, cover: new Map([...cover].map(([who, of]) => [who, of.size])) };
  }

  /** How many minutes of these sessions may be billed; decided among all sessions of the client and date. */
  billable(is: (row: RecountedRow) => boolean): number {
    const days = new Map<string, RecountedRow[]>();
    for (const row of this.care(() => true))
      days.set(`${row.client} ${row.date}`, [...(days.get(`${row.client} ${row.date}`) ?? []), row]);
    let sum = 0;
    for (const day of days.values()) {
      const inOrder = [...day].sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
      const before = new Map<string, number>();
      const billed = inOrder.map((row) => ({ row, at: new Set<number>() }));
      for (const { row, at: own } of billed) {
        const code = codeOfSubject(row.subject);
        for (const { at, is: what } of this.minutesOf(row)) {
          const earlier = billed.slice(0, inOrder.indexOf(row)).filter((each) => each.at.has(at));
          if (what === 'kept' && earlier.every((each) => this.together(row, code, codeOfSubject(each.row.subject))))
            own.add(at);
        }
        const units = (n: number): number => Math.floor(n / 15) + (n % 15 >= 8 ? 1 : 0);
        const had = before.get(code) ?? 0;
        before.set(code, had + own.size);
        if (is(row)) sum += 15 * (units(had + own.size) - units(had));
      }
    }
    return sum;
  }

  private together({ client, date }: RecountedRow, a: string, b: string): boolean {
    const paying = (code: string): string[] =>
      this.grants
        .filter((g) => g.client === client && g.code === code && g.from <= date && date <= g.until)
        .map((g) => g.payer);
    return paying(a).every((payer) => {
      const pairs = this.concurrent.get(payer) ?? null;
      return pairs === null || !paying(b).includes(payer) || pairs.includes([a, b].sort().join('+'));
    });
  }

  /** An RBT's supervision in the month of a date; `isBcba` says who supervises. */
  supervision(who: string, date: IsoDate, isBcba: (id: string | null) => boolean) {
    const [direct, before, after] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const [contacts, ahead] = [new Set<string>(), new Set<string>()];
    const month = this.care((row) => row.date.slice(0, 7) === date.slice(0, 7));
    for (const own of month.filter((row) => row.therapist === who && row.service === 'direct'))
      for (const { at } of this.minutesOf(own).filter((m) => m.is === 'kept')) {
        direct.add(`${own.date} ${at}`);
        for (const other of month)
          if (other.service === 'supervision' && other.client === own.client && other.date === own.date)
            if (other.therapist !== who && isBcba(other.therapist))
              if (this.minutesOf(other).some((m) => m.at === at && m.is === 'kept')) {
                (own.date < date ? before : after).add(`${own.date} ${at}`);
                (own.date < date ? contacts : ahead).add(other.root);
              }
      }
    return {
      direct: direct.size,
      done: before.size,
      ahead: after.size,
      contacts: contacts.size,
      contacts_ahead: ahead.size,
    };
  }

  /** The minutes that earlier dates drew from each authorization that is valid on the date. */
  authorizations(date: IsoDate): Map<string, number> {
    const used = new Map<string, { period: string; units: number }>();
    const periodOf = (g: Grant, on: IsoDate): string =>
      g.period === 'total' ? '' : g.period === 'month' ? on.slice(0, 7) : mondayOf(on);
    const inOrder = [...this.grants].sort((a, b) =>
      [a.until, a.from, a.number, a.payer].join() < [b.until, b.from, b.number, b.payer].join() ? -1 : 1,
    );
    const taken = new Map<string, number>();
    for (const row of this.care(({ date: on, therapist }) => on < date && therapist !== null)) {
      const kept = this.minutesOf(row).filter((m) => m.is === 'kept').length;
      count(taken, [row.date, row.client, codeOfSubject(row.subject)].join(), kept);
    }
    // Each authorization is filled up to its prior units after their date, on that date itself before its sessions.
    const waiting = new Set(inOrder.filter(({ through }) => through !== null && through <= date));
    const fillUp = (on: IsoDate): void => {
      for (const g of waiting) {
        const through = g.through ?? on;
        if (on < through || (on === through && on < date)) continue;
        waiting.delete(g);
        const own = used.get(g.id);
        const period = periodOf(g, through);
        const units = Math.max(g.prior ?? 0, own?.period === period ? own.units : 0);
        used.set(g.id, { period, units });
      }
    };
    for (const [key, minutes] of [...taken].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [on, client, code] = key.split(',') as [IsoDate, string, string];
      fillUp(on);
      const valid = inOrder.filter((g) => g.client === client && g.code === code && g.from <= on && on <= g.until);
      const usedOf = (g: Grant): number => {
        const own = used.get(g.id);
        return own?.period === periodOf(g, on) ? own.units : 0;
      };
      for (let unit = Math.floor((minutes + 7) / 15); unit > 0; unit--) {
        const from = valid.find((g) => usedOf(g) < g.units) ?? valid.at(-1);
        if (from) used.set(from.id, { period: periodOf(from, on), units: usedOf(from) + 1 });
      }
    }
    fillUp(date);
    return new Map(
      inOrder
        .filter((g) => g.from <= date && date <= g.until)
        .map((g) => {
          const own = used.get(g.id);
          return [g.id, own?.period === periodOf(g, date) ? own.units * 15 : 0];
        }),
    );
  }

  /** Minutes whose cause became known less than 24 hours before the first minute lost to it. */
  late(is: (row: RecountedRow) => boolean): number {
    let sum = 0;
    for (const row of this.care(is)) {
      const lost = this.minutesOf(row).filter((m) => m.is === 'lost');
      const reasons = new Map<string, { known: string | null; first: number; minutes: number }>();
      for (const { at } of lost) {
        const here = this.aways.filter((a) => a.date === row.date && a.start <= at && at < a.end);
        const own = !row.occupies && row.cause !== null;
        const absent = own
          ? undefined
          : (this.whyCancelled(row) ??
            here.find((a) => a.who === row.client) ??
            (row.occupies
              ? (here.find((a) => a.who === row.therapist) ??
                here.find((a) => row.booked !== null && a.who === row.booked))
              : undefined));
        const reason = reasons.get(absent?.id ?? '') ?? { known: (absent ?? row).known, first: at, minutes: 0 };
        reasons.set(absent?.id ?? '', { ...reason, minutes: reason.minutes + 1 });
      }
      for (const { known, first, minutes } of reasons.values())
        if (known !== null && known > `${addDays(row.date, -1)} ${clock(first)}`) sum += minutes;
    }
    return sum;
  }
}

interface Tables {
  readonly rows: readonly RecountedRow[];
  readonly aways: readonly Away[];
  readonly noes: readonly No[];
  readonly grants: readonly Grant[];
  readonly payers: readonly { name: string; pairs: string[] | null }[];
}
