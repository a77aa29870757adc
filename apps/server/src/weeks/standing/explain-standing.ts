/** Says why somebody takes a child's sessions, and why nobody takes them on a date. */
import type { RunWhy } from '@clinic/weeks-engine';
import {
  contains,
  groupBy,
  holdsOn,
  isEmployed,
  dayOfWeek,
  listWords,
  overlaps,
  possessive,
  type IsoDate,
} from '@clinic/domain';
import { sessionsByTherapist } from '../problem/weeks-facts.ts';
import { gridOf, isFree, whyNot, type StandingSeries } from '../problem/standing-problem.ts';
import type { LoadedStanding } from '../problem/load-standing.ts';

type Reason = 'may-not' | 'off' | 'away' | 'busy' | 'needed';

/** Why each therapist does not take a session on a date, in the order in which the sentence names the reasons. */
function reasonsOn(loaded: LoadedStanding, series: StandingSeries, date: IsoDate): Map<string, Reason> {
  const { facts, freeOn, away } = loaded;
  const sessionsOn = sessionsByTherapist(facts);
  const time = gridOf(series);
  const reasons = new Map<string, Reason>();
  for (const { id, employment, windows } of facts.therapists.values()) {
    if (id === away.therapist) continue;
    const works =
      isEmployed(employment, date) &&
      (windows ?? []).some((w) => {
        const window = { start: w.start_minute, end: w.end_minute };
        return w.day_of_week === dayOfWeek(date) && holdsOn(w, date) && contains(window, series);
      });
    const isAway = (facts.away(date).get(id) ?? []).some((w) => overlaps(w, series));
    const isBusy = sessionsOn(id, date).some((s) => s.service !== 'admin' && overlaps(s, series));
    if (whyNot(facts, id, series, date) !== null) reasons.set(id, 'may-not');
    else if (!works) reasons.set(id, 'off');
    else if (isAway) reasons.set(id, 'away');
    else if (isBusy) reasons.set(id, 'busy');
    else reasons.set(id, isFree(freeOn(id, date), time) ? 'needed' : 'busy');
  }
  return reasons;
}

const COUNTED: Readonly<Record<Reason, (n: number, child: string) => string>> = {
  busy: (n) => `${n} ${n === 1 ? 'has a session' : 'have sessions'} of their own`,
  off: (n) => `${n} ${n === 1 ? 'does' : 'do'} not work then`,
  away: (n) => `${n} ${n === 1 ? 'is' : 'are'} away`,
  needed: (n) => `${n} ${n === 1 ? 'is' : 'are'} free, but would reach a limit or be one more face`,
  'may-not': (n, child) => `${n} may not serve ${child}`,
};

const NAMED: Readonly<Record<Reason, (name: string, child: string) => string>> = {
  busy: (name) => `${name} has a session of their own`,
  off: (name) => `${name} does not work then`,
  away: (name) => `${name} is away`,
  needed: (name) => `${name} is needed elsewhere in this plan, or reaches a limit that week`,
  'may-not': (name, child) => `${name} may not serve ${child} on that date`,
};

/**
 * Says why a date stays open: what keeps those who take the series on its other dates, and how many others cannot come
 * for which reason.
 * @param holders the therapists who take the series on other dates
 */
export function whyOpen(
  loaded: LoadedStanding,
  series: StandingSeries,
  date: IsoDate,
  child: string,
  holders: readonly string[],
): string {
  const reasons = reasonsOn(loaded, series, date);
  const named = holders.flatMap((id) => {
    const reason = reasons.get(id);
    return reason ? `${NAMED[reason](nameOf(loaded, id), child)}.` : [];
  });
  const others = [
    ...groupBy(
      [...reasons].filter(([id]) => !holders.includes(id)),
      ([, reason]) => reason,
    ),
  ];
  const order: Reason[] = ['busy', 'off', 'away', 'may-not', 'needed'];
  const counted = others
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([reason, list]) => COUNTED[reason](list.length, child));
  const rest =
    counted.length === 0
      ? []
      : [`${named.length > 0 ? 'Of the others, ' : 'Of all therapists, '}${listWords(counted)}.`];
  return [...named, ...rest].join(' ');
}

export const nameOf = ({ facts }: LoadedStanding, id: string): string => facts.therapists.get(id)?.name ?? '';

/** Says why a therapist takes a run, and what the best other choice would mean. */
export function whyRun(loaded: LoadedStanding, therapist: string, child: string, why: RunWhy | null): string[] {
  if (!why) return [];
  const name = nameOf(loaded, therapist);
  const knows = {
    team: `${name} is on ${possessive(child)} team.`,
    known: `${child} knows ${name}.`,
    new: `${name} is new to ${child}.`,
  };
  const { second } = why;
  if (!second) return [knows[why.knows], 'No one else could take all of these dates.'];
  const other = nameOf(loaded, second.therapist);
  const how = { team: `on ${possessive(child)} team, too`, known: `known to ${child}`, new: `new to ${child}` }[
    second.knows
  ];
  return [knows[why.knows], `${other} could take them, too: ${how}.`];
}
