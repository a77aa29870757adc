import type { BodyOf, TimesReply, TimesWay, timesEndpoints } from '@clinic/contract';
import { duration, isoDate, parseTime, shortDate, weekdayName, type Location } from '@clinic/domain';
import { timeWords } from '../../shared/time-words.ts';

export type TimesWish = BodyOf<typeof timesEndpoints.findTimes>;

/** When the family can come on a day of the week; `on` is whether they can at all. */
export interface DayWindow {
  weekday: number;
  on: boolean;
  start: string;
  end: string;
}

/** What the page asks for, as its fields have it. */
export interface WishForm {
  client: string;
  sessions: number;
  minutes: number;
  people: number;
  service: TimesWish['service'];
  from: string;
  until: string;
  windows: DayWindow[];
  who: 'anyone' | 'known';
  only: string[];
  except: string[];
}

export const SUBJECTS = {
  direct: 'Direct Therapy',
  supervision: 'Supervision',
  'parent-training': 'Parent Training',
} as const;

export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

/** The wish that the page begins with; an address may name the client, and one therapist's free time. */
export function newWish(
  from: string,
  { client, therapist, weekday, start, end }: Readonly<Record<string, string | undefined>>,
): WishForm {
  const only = weekday === undefined ? null : Number(weekday);
  const minutes = (parseTime(end ?? '') ?? 0) - (parseTime(start ?? '') ?? 0);
  return {
    client: client ?? '',
    sessions: only === null ? 3 : 1,
    minutes: minutes >= 30 ? Math.min(120, Math.floor(minutes / 30) * 30) : 120,
    people: 2,
    service: 'direct',
    from,
    until: '',
    windows: WEEK.map((day) => ({
      weekday: day,
      on: only === null ? day >= 1 && day <= 5 : day === only,
      start: only === day ? (start ?? '08:00') : '08:00',
      end: only === day ? (end ?? '18:00') : '18:00',
    })),
    who: 'anyone',
    only: therapist === undefined ? [] : [therapist],
    except: [],
  };
}

/** What must be mended before the wish can be sent; null if nothing. */
export function wishFault({ client, windows, from, until }: WishForm): string | null {
  if (client === '') return 'Choose a client.';
  if (from === '') return 'Enter the first date.';
  if (until !== '' && until < from) return 'The last date must be on or after the first.';
  const days = windows.filter(({ on }) => on);
  if (days.length === 0) return 'Say on which days the family can come.';
  const wrong = days.find(({ start, end }) => (parseTime(end) ?? 0) <= (parseTime(start) ?? 1440));
  return wrong ? `${weekdayName(wrong.weekday)}: the end must be after the start.` : null;
}

export function toWish(form: WishForm, location: Location): TimesWish {
  const { client, sessions, minutes, people, service, from, until, windows, who, only, except } = form;
  return {
    location,
    client,
    sessions,
    minutes,
    people,
    service,
    from,
    until: until === '' ? null : until,
    windows: windows.flatMap(({ on, weekday, start, end }) => (on ? [{ weekday, start, end }] : [])),
    ...(who === 'known' ? { known: true } : {}),
    ...(only.length > 0 ? { only } : {}),
    ...(except.length > 0 ? { except } : {}),
  };
}

/** The page's fields after a change that the server proposed. */
export function withChange(form: WishForm, wish: TimesWish): WishForm {
  return {
    ...form,
    sessions: wish.sessions,
    minutes: wish.minutes,
    people: wish.people,
    windows: WEEK.map((weekday) => {
      const own = wish.windows.filter((each) => each.weekday === weekday);
      const [first] = own;
      const was = form.windows.find((each) => each.weekday === weekday);
      return first
        ? { weekday, on: true, start: first.start, end: own.at(-1)?.end ?? first.end }
        : { weekday, on: false, start: was?.start ?? '08:00', end: was?.end ?? '18:00' };
    }),
    who: wish.known === true ? 'known' : 'anyone',
    only: [...(wish.only ?? [])],
    except: [...(wish.except ?? [])],
  };
}

/** `Mon · Tue · Thu` */
export const daysWords = ({ days }: TimesWay): string =>
  days.map(({ weekday }) => weekdayName(weekday).slice(0, 3)).join(' · ');

/** `8:30 – 10:30 AM` where all days have the same times, otherwise their starts. */
export function hoursWords({ days }: TimesWay): string {
  const [first] = days;
  if (!first) return '';
  if (days.every(({ start }) => start === first.start)) return `${timeWords(first.start)} – ${timeWords(first.end)}`;
  return days.map(({ start }) => timeWords(start)).join(', ');
}

/** Who has which days: `all three`, or `Ana on Fridays`. */
export function whoWords({ days, people }: TimesWay): string {
  if (people.length === 1) return days.length === 1 ? '' : `all ${days.length}`;
  return people
    .map(({ therapist }) => {
      const own = days.filter((day) => day.therapist === therapist);
      const first = therapist.split(' ')[0] ?? therapist;
      return `${first}: ${own.map(({ weekday }) => weekdayName(weekday).slice(0, 3)).join(', ')}`;
    })
    .join('; ');
}

/** `18 h → 24 h of 40 h` */
export const weekWords = ({ people }: TimesWay): string =>
  people.map(({ before, after, most }) => `${hours(before)} → ${hours(after)} of ${hours(most)}`).join('; ');

const hours = (minutes: number): string => (minutes === 0 ? '0 h' : duration(minutes));

/** The dates that are not held, by reason: `Dec 7: Ivy is away.` The first is named. */
export function missedWords({ missed }: TimesWay): string {
  const shown = missed.slice(0, 1).map(({ date, why }) => `${shortDate(isoDate(date))}: ${why}`);
  const more = missed.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more.`] : [])].join(' ');
}

/** How many therapists may, in words. */
export const mayWords = ({ may, of }: TimesReply): string => `${may} of ${of} therapists may${may < of ? ':' : '.'}`;
