import { addDays, duration, isoDate, MONTHS, type IsoDate } from './time.ts';

/** An RBT's day: minutes of direct sessions, minutes with a supervisor, and how many supervisors came. */
export interface SupervisedDay {
  readonly date: IsoDate;
  readonly direct: number;
  readonly supervised: number;
  readonly contacts: number;
}

/** The supervision that payers and the RBT's board require in a month. */
export interface SupervisionRules {
  /** Required supervision as a percentage of the direct hours. */
  readonly supervision_percent: number;
  readonly supervision_contacts: number;
}

interface Amount {
  readonly minutes: number;
  readonly contacts: number;
}

/** The supervision that an RBT needs and gets in the month of a date. */
export interface Supervision {
  /** Minutes of direct sessions in the whole month. */
  readonly direct: number;
  readonly needed: Amount;
  /** Supervision before the date, on the date, and booked for the rest of the month. */
  readonly before: Amount;
  readonly on: Amount;
  readonly after: Amount;
}

/** The first and the last day of a date's month. */
export function monthOf(date: IsoDate): { first: IsoDate; last: IsoDate } {
  const first = isoDate(`${date.slice(0, 8)}01`);
  const next = addDays(first, 31);
  return { first, last: addDays(isoDate(`${next.slice(0, 8)}01`), -1) };
}

/** An RBT's supervision in the month of `date`. Without direct sessions in that month, the RBT needs none. */
export function supervisionOn(days: readonly SupervisedDay[], date: IsoDate, rules: SupervisionRules): Supervision {
  const { first, last } = monthOf(date);
  const month = days.filter((day) => first <= day.date && day.date <= last);
  const sum = (own: readonly SupervisedDay[]): Amount => ({
    minutes: own.reduce((n, day) => n + day.supervised, 0),
    contacts: own.reduce((n, day) => n + day.contacts, 0),
  });
  const direct = month.reduce((n, day) => n + day.direct, 0);
  return {
    direct,
    needed: {
      minutes: Math.ceil((direct * rules.supervision_percent) / 100),
      contacts: direct > 0 ? rules.supervision_contacts : 0,
    },
    before: sum(month.filter((day) => day.date < date)),
    on: sum(month.filter((day) => day.date === date)),
    after: sum(month.filter((day) => day.date > date)),
  };
}

/** Whether the month's booked supervision is less than the RBT needs. */
export const isAtRisk = ({ needed, before, on, after }: Supervision): boolean =>
  before.minutes + on.minutes + after.minutes < needed.minutes ||
  before.contacts + on.contacts + after.contacts < needed.contacts;

const MOST = 300;
const USUAL = 100;

/**
 * How much a supervision session weighs, in percent: 100 when the rest of the month has all the supervision that the
 * RBT still needs, 300 when it has none, and proportionally in between. Minutes and contacts are judged separately, and
 * the scarcer of the two decides.
 */
export function supervisionWeight({ needed, before, after }: Supervision): number {
  const short = (of: keyof Amount): number =>
    needed[of] === 0 ? 0 : Math.max(0, needed[of] - before[of] - after[of]) / needed[of];
  return Math.round(USUAL + (MOST - USUAL) * Math.max(short('minutes'), short('contacts')));
}

/** `Without this session, Ana Ruiz has 1 h of 3 h 30 min of supervision in November, and 1 of 2 contacts.` */
export function supervisionSentence(name: string, date: IsoDate, { needed, before, after }: Supervision): string {
  const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
  const minutes = `${duration(before.minutes + after.minutes)} of ${duration(needed.minutes)} of supervision in ${month}`;
  return `Without this session, ${name} has ${minutes}, and ${before.contacts + after.contacts} of ${needed.contacts} contacts.`;
}
