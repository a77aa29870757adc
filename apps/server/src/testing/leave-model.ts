import { addDays, dayOfWeek, type IsoDate } from '@clinic/domain';

/** Hours of a day in the model: every time is one of these. */
export const HOURS = 24;

export interface ModelTerms {
  first: number;
  last: number | null;
  weekdays: readonly number[];
  start: number;
  end: number;
}

interface ModelLeave extends ModelTerms {
  readonly exceptions: Set<number>;
}

/** Whose absence an hour is: a leave's or that of a single date, by its number. */
type Hour = { readonly leave: number | null; readonly plain: number | null } | undefined;

/**
 * One person's absences as the rules say them, hour by hour, independent of rows and intervals: a fact recorded first has
 * an hour first, and what is given up goes to the next leave that stands there.
 */
export class LeaveModel {
  readonly leaves = new Map<number, ModelLeave>();
  readonly hours = new Map<number, Hour[]>();
  made = 0;
  readonly start: IsoDate;
  readonly days: number;

  constructor(start: IsoDate, days: number) {
    this.start = start;
    this.days = days;
  }

  private day(n: number): Hour[] {
    const found = this.hours.get(n) ?? Array<Hour>(HOURS).fill(undefined);
    this.hours.set(n, found);
    return found;
  }

  private isOn(leave: ModelTerms, n: number): boolean {
    const day = dayOfWeek(addDays(this.start, n));
    return leave.first <= n && (leave.last === null || n <= leave.last) && leave.weekdays.includes(day);
  }

  private dates(): number[] {
    return Array.from({ length: this.days }, (_, n) => n);
  }

  private fill(n: number, leave: number, { start, end }: ModelTerms): void {
    const day = this.day(n);
    for (let hour = start; hour < end; hour += 1) day[hour] ??= { leave, plain: null };
  }

  /** Gives the hours that are free now to the leaves that stand there, except to those that gave them up. */
  private refill(n: number, not: ReadonlySet<number>): void {
    const order = [...this.leaves].sort(([a, one], [b, two]) => one.first - two.first || a - b);
    for (const [id, leave] of order)
      if (!not.has(id) && this.isOn(leave, n) && !leave.exceptions.has(n)) this.fill(n, id, leave);
  }

  record(terms: ModelTerms): number {
    const same = [...this.leaves].find(([, each]) => this.same(each, terms));
    const id = same?.[0] ?? this.made++;
    if (!same) this.leaves.set(id, { ...terms, exceptions: new Set() });
    const leave = this.leaves.get(id);
    for (const n of this.dates()) if (leave && this.isOn(leave, n) && !leave.exceptions.has(n)) this.fill(n, id, terms);
    return id;
  }

  same(a: ModelTerms, b: ModelTerms): boolean {
    const of = ({ first, last, weekdays, start, end }: ModelTerms) =>
      JSON.stringify([first, last, weekdays, start, end]);
    return of(a) === of(b);
  }

  addPlain(n: number, start: number, end: number): void {
    const day = this.day(n);
    const plain = this.made++;
    for (let hour = start; hour < end; hour += 1) day[hour] ??= { leave: null, plain };
  }

  /** Everything recorded for the date is taken away: its leaves have an exception there. */
  withdraw(n: number): void {
    const day = this.day(n);
    const left = new Set(day.flatMap((hour) => hour?.leave ?? []));
    day.fill(undefined);
    for (const id of left) this.leaves.get(id)?.exceptions.add(n);
    this.refill(n, left);
  }

  end(id: number, scope: 'date' | 'from' | 'all', n: number): void {
    const leave = this.leaves.get(id);
    if (!leave) return;
    for (const each of this.dates()) {
      const isMeant = scope === 'all' || (scope === 'date' ? each === n : each >= n);
      const day = this.day(each);
      if (!isMeant || !day.some((hour) => hour?.leave === id)) continue;
      this.hours.set(
        each,
        day.map((hour) => (hour?.leave === id ? undefined : hour)),
      );
      this.refill(each, new Set([id]));
    }
    if (scope === 'date') leave.exceptions.add(n);
    else if (scope === 'all' || n <= leave.first) this.leaves.delete(id);
    else {
      leave.last = n - 1;
      for (const each of leave.exceptions) if (each >= n) leave.exceptions.delete(each);
    }
  }

  /** Changes all dates; those that were changed by themselves stay. */
  changeAll(id: number, terms: ModelTerms): void {
    const leave = this.leaves.get(id);
    if (!leave || this.same(leave, terms)) return;
    Object.assign(leave, terms);
    for (const n of this.dates()) {
      if (leave.exceptions.has(n)) continue;
      const day = this.day(n);
      const had = day.some((hour) => hour?.leave === id);
      const next = day.map((hour) => (hour?.leave === id ? undefined : hour));
      this.hours.set(n, next);
      if (this.isOn(leave, n)) this.fill(n, id, leave);
      if (had) this.refill(n, new Set([id]));
    }
  }

  /** The hours in which the person is away, by date, each with the kind of its absence. */
  away(): string[] {
    return this.dates().flatMap((n) => {
      const text = this.day(n).map((hour) => (hour === undefined ? '.' : hour.leave === null ? 'p' : 'L'));
      return text.every((each) => each === '.') ? [] : [`${addDays(this.start, n)} ${text.join('')}`];
    });
  }

  copy(): LeaveModel {
    const next = new LeaveModel(this.start, this.days);
    next.takeFrom(this);
    return next;
  }

  /** Becomes what another model is. */
  takeFrom(other: LeaveModel): void {
    this.made = Math.max(this.made, other.made);
    this.leaves.clear();
    this.hours.clear();
    for (const [id, leave] of other.leaves) this.leaves.set(id, { ...leave, exceptions: new Set(leave.exceptions) });
    for (const [n, day] of other.hours) this.hours.set(n, [...day]);
  }
}
