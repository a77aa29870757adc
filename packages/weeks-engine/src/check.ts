/** Checks single dates of a standing replacement against the rules of a problem, whoever chose them. */
import { groupBy } from '@clinic/domain';
import { readProblem } from './read.ts';
import { isAble, serveFault } from './serve.ts';
import type { Client, Series, Therapist } from './problem.ts';

/** A date of a series that a therapist is given, by ids. */
export interface GivenDate {
  readonly series: string;
  readonly date: string;
  readonly therapist: string;
}

/** Why a given date breaks a rule. `unknown`: the problem has no such series, date or therapist. */
export type GivenFault = 'unknown' | 'may-not' | 'declined' | 'not-able' | 'two-places' | 'week-full';

export interface BrokenDate extends GivenDate {
  readonly fault: GivenFault;
}

interface Read {
  readonly given: GivenDate;
  readonly series: Series;
  readonly therapist: Therapist;
  readonly date: number;
}

/** Returns the given dates that break a rule, each with the first rule that it breaks. Throws if the problem cannot be read. */
export function checkGiven(problem: unknown, given: readonly GivenDate[]): BrokenDate[] {
  const read = readProblem(problem);
  if (!read.ok) throw new Error(read.refusal.detail);
  if (read.problem.kind !== 'standing') throw new Error('The problem is no standing replacement.');
  const { dates, weeks, weekOf, therapists, series } = read.problem;
  const all = new Map(series.map((each) => [each.id, each]));
  const people = new Map(therapists.map((each) => [each.id, each]));
  const broken: BrokenDate[] = [];
  const fit: Read[] = [];
  for (const each of given) {
    const [own, therapist, date] = [all.get(each.series), people.get(each.therapist), dates.indexOf(each.date)];
    const fault = !own || !therapist || !own.dates.includes(date) ? 'unknown' : ownFault(own, therapist, date);
    if (fault) broken.push({ ...each, fault });
    else if (own && therapist) fit.push({ given: each, series: own, therapist, date });
  }
  for (const day of groupBy(fit, ({ therapist, date }) => `${therapist.index} ${date}`).values())
    for (const [i, one] of day.entries())
      if (day.some((other, k) => k !== i && other.series.from < one.series.to && one.series.from < other.series.to))
        broken.push({ ...one.given, fault: 'two-places' });
  const full = (who: (read: Read) => Therapist | Client): void => {
    for (const week of groupBy(fit, (each) => `${who(each).id} ${weekOf[each.date]}`).values()) {
      const slots = week.reduce((sum, { series: { from, to } }) => sum + to - from, 0);
      const [first] = week;
      if (first && slots > who(first).caps[weekOf[first.date] ?? weeks.length]!)
        broken.push(...week.map((each) => ({ ...each.given, fault: 'week-full' as const })));
    }
  };
  full(({ therapist }) => therapist);
  full(({ series: { client } }) => client);
  return broken;
}

function ownFault(series: Series, therapist: Therapist, date: number): GivenFault | null {
  if (serveFault(therapist, series.client, series.service)) return 'may-not';
  if (series.declined.has(therapist.index)) return 'declined';
  return isAble(therapist, date, series, true) ? null : 'not-able';
}
