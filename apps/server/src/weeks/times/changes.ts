/** What it would take: single changes of a wish, and whether what they give is better. */
import { duration, formatTime, isoDate, shortDate, weekdayName } from '@clinic/domain';
import type { TimesWay, TimesWish } from '@clinic/contract';
import { timeOf } from './times-problem.ts';

interface Change {
  readonly what: string;
  readonly wish: TimesWish;
}

/** By how much a window becomes wider, on either side. */
const WIDER = 60;
/** Up to so many dates may be left out. */
const FEW_DATES = 3;

/** The changes to try, one thing at a time. */
export function changesOf(wish: TimesWish, ways: readonly TimesWay[]): Change[] {
  const changes: Change[] = [];
  const add = (what: string, changed: Partial<TimesWish>): void =>
    void changes.push({ what, wish: { ...wish, ...changed } });
  for (const weekday of new Set(wish.windows.map((window) => window.weekday))) {
    const own = wish.windows.filter((window) => window.weekday === weekday);
    const start = formatTime(Math.max(420, Math.min(...own.map((window) => timeOf(window.start))) - WIDER));
    const end = formatTime(Math.min(1140, Math.max(...own.map((window) => timeOf(window.end))) + WIDER));
    const windows = [...wish.windows.filter((window) => window.weekday !== weekday), { weekday, start, end }];
    add(`${weekdayName(weekday)}s from ${start} to ${end}`, { windows });
  }
  if (wish.minutes > 60) {
    const minutes = wish.minutes - 30;
    add(`${duration(minutes)} instead of ${duration(wish.minutes)}`, { minutes });
  }
  if (wish.sessions > 1) {
    const sessions = wish.sessions - 1;
    add(`${sessions === 1 ? '1 session' : `${sessions} sessions`} a week instead of ${wish.sessions}`, { sessions });
  }
  if (wish.people < Math.min(3, wish.sessions)) add(`Up to ${wish.people + 1} people`, { people: wish.people + 1 });
  if (wish.known === true) add('Someone new, too', { known: false });
  if (wish.only !== undefined && wish.only.length > 0) add('Whoever may', { only: [] });
  for (const { missed } of ways.slice(0, 3)) {
    const dates = [...new Set(missed.map(({ date }) => date))];
    if (dates.length === 0 || dates.length > FEW_DATES) continue;
    add(`Leave out ${dates.map((date) => shortDate(isoDate(date))).join(' and ')}`, {
      except: [...(wish.except ?? []), ...dates.map(isoDate)],
    });
  }
  return changes;
}

/** Whether a way is better than the best one now, if there is one, in the order of what matters to a family. */
export function isBetter(way: TimesWay, best: TimesWay | undefined): boolean {
  if (!best) return true;
  const measures = (of: TimesWay): number[] => [
    of.dates - of.held,
    of.people.length,
    of.people.filter(({ knows }) => knows === 'new').length,
    new Set(of.days.map(({ start }) => start)).size,
    Math.min(...of.days.map(({ start }) => timeOf(start))),
  ];
  const [own, other] = [measures(way), measures(best)];
  const at = own.findIndex((value, i) => value !== other[i]);
  return at !== -1 && (own[at] ?? 0) < (other[at] ?? 0);
}
