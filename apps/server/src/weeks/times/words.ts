/** Why a way is as it is, in words. */
import { formatTime } from '@clinic/domain';
import type { TimesReply, TimesWay } from '@clinic/contract';
import { timeOf, whyNotThen, worksOnAny, type Bar, type TimesWeeks, type WhyNotThen } from './times-problem.ts';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
const number = (n: number): string => NUMBERS[n] ?? String(n);

/** `One face, one time of day. All 35 dates.` */
export function wayWords(
  client: string,
  people: TimesWay['people'],
  times: number,
  held: number,
  dates: number,
): string {
  const known = people.filter(({ knows }) => knows !== 'new').length;
  const faces = people.length === 1 ? 'One face' : `${number(people.length)} faces`;
  const knows =
    known === 0
      ? ''
      : known < people.length
        ? `, ${client} knows ${number(known).toLowerCase()}`
        : `, known to ${client}`;
  const hours = times === 1 ? 'one time of day' : `${number(times).toLowerCase()} times of day`;
  const all = held === dates ? (dates === 1 ? 'The one date.' : `All ${dates} dates.`) : `${held} of ${dates} dates.`;
  return `${faces}${knows}, ${hours}. ${all}`;
}

const BARS: Readonly<Record<Bar, string>> = {
  match: 'The family’s or the clinic’s rules exclude them',
  closed: 'The location is closed',
  opening: 'Outside opening hours',
  bcba: 'Not a BCBA',
  employment: 'Not employed then',
  site: 'At another location',
  needs: 'Lack a skill that is needed',
  payer: 'The payer asks for more',
  team: 'Not familiar, and only familiar people may',
  availability: 'Not available',
  authorization: 'No authorization',
  'new here': 'New here, and see only children who know them',
  'not chosen': 'Left out by this search',
};

/** Which of the location's therapists may serve the client on at least one of the dates, and why the others may not. */
export function tallyOf(weeks: TimesWeeks): { may: string[]; of: number; mayNot: TimesReply['mayNot'] } {
  const { facts, dates, barOn } = weeks;
  const ids = [...facts.therapists.keys()].filter((id) => worksOnAny(weeks, id, dates));
  const may: string[] = [];
  const counts = new Map<Bar, number>();
  for (const id of ids) {
    const bars = dates.map((date) => barOn(id, date));
    const [bar] = bars;
    if (bars.includes(null) || bar === undefined || bar === null) may.push(id);
    else counts.set(bar, (counts.get(bar) ?? 0) + 1);
  }
  const mayNot = [...counts].sort((a, b) => b[1] - a[1]).map(([bar, therapists]) => ({ why: BARS[bar], therapists }));
  return { may, of: ids.length, mayNot };
}

const THEN: Readonly<Record<WhyNotThen, string>> = {
  hours: 'Not available then',
  session: 'With another child',
  away: 'Away on most of the dates',
  limit: 'At their weekly limit',
};

/** Why the best way begins later than the family can come, counted over the therapists who may; null if it does not. */
export function earlierReasons(weeks: TimesWeeks, may: readonly string[], best: TimesWay): TimesReply['earlier'] {
  const weekdays = new Set(best.days.map(({ weekday }) => weekday));
  const asked = Math.min(...weeks.wish.windows.filter((w) => weekdays.has(w.weekday)).map(({ start }) => start));
  const begins = Math.min(...best.days.map(({ start }) => timeOf(start)));
  const start = Math.ceil(asked / 30) * 30;
  if (begins <= start) return null;
  const counts = new Map<string, number>();
  for (const id of may) {
    const why = whyNotThen(weeks, id, { start, end: start + weeks.wish.minutes }, weekdays);
    const words = why === null ? 'Free then, but the way above costs less' : THEN[why];
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const reasons = [...counts].sort((a, b) => b[1] - a[1]).map(([why, therapists]) => ({ why, therapists }));
  return { start: formatTime(start), reasons };
}
