import {
  codeOf,
  contains,
  credentialOn,
  dayOfWeek,
  holdsOn,
  isTelehealth,
  locationLabel,
  locationOf,
  longDate,
  needsSentence,
  notEmployed,
  timeSlot,
  union,
  unmetNeeds,
  unpaidSentence,
  weekdayName,
  type BillingCode,
  type Dated,
  type DatedCredential,
  type DatedTag,
  type Employment,
  type Gender,
  type Interval,
  type IsoDate,
  type Location,
  type Need,
  type Service,
  type Specialization,
} from '@clinic/domain';
import { mismatch, needsBcba } from '../people/match.ts';
import { unmetRequirement, type PaidCode } from '../ledgers/count/payers.ts';

/** A weekly window of a therapist, and the dates on which it is valid. */
export interface WeeklyWindow extends Dated {
  readonly day_of_week: number;
  readonly start_minute: number;
  readonly end_minute: number;
}

/** Everything about a client that decides which therapists may serve them, and where. */
export interface RuledClient {
  readonly id: string;
  readonly name: string;
  readonly location: Location;
  readonly rbtOrAbove: boolean;
  readonly careTeamOnly: boolean;
  readonly requiresGender: readonly Gender[];
  readonly excludesTherapist: readonly string[];
  readonly needs: readonly Need[];
  /** What the client's authorizations pay for; null if none is on record, so that none is needed. */
  readonly authorized: readonly (Dated & { readonly code: BillingCode })[] | null;
  /** The codes that payers with requirements pay for. */
  readonly paid: readonly PaidCode[];
}

/** Everything about a therapist that decides which sessions they may have. */
export interface RuledTherapist {
  readonly id: string;
  readonly name: string;
  readonly gender: Gender;
  readonly specialization: Specialization;
  readonly employment: Employment;
  /** Null if no availability is on record, so that no time is outside it. */
  readonly windows: readonly WeeklyWindow[] | null;
  readonly credentials: readonly DatedCredential[];
  readonly tags: readonly DatedTag[];
}

/** A booked session with a therapist, and everything that decides whether it may take place as it is. */
export interface RuledSession extends Interval {
  readonly id: string;
  /** The key of the session that this piece was cut from, or its own. */
  readonly root: string;
  readonly date: IsoDate;
  readonly location: Location;
  readonly service: Service;
  readonly subject: string;
  readonly client: RuledClient;
  readonly therapist: RuledTherapist;
  /** Whether the client had a session with the therapist in the 90 days before. */
  readonly known: boolean;
  /** Whether the authorizations that pay for the session on its date have no units left for it. */
  readonly isSpent: boolean;
  /** The name of the closure or holiday in whose time the session lies; null if its location is open. */
  readonly closed: string | null;
  /** When the therapist agreed to work outside their availability on that date. */
  readonly agreed: readonly Interval[];
}

/** The rules that a booked session must keep, the gravest first. */
export const SESSION_RULES = [
  'closed',
  'opening',
  'match',
  'bcba',
  'employment',
  'site',
  'needs',
  'payer',
  'team',
  'availability',
  'authorization',
] as const;
export type SessionRule = (typeof SESSION_RULES)[number];

type Check = (session: RuledSession) => string | null;

/** The credential that the session's therapist has on its date. */
const countsAs = ({ therapist: { specialization, credentials }, date }: RuledSession): Specialization =>
  credentialOn(specialization, credentials, date);

/**
 * Each says in a sentence how a session breaks its rule. Today, the calendar, the day sheet, the print and the checks
 * before a booking and before a save of a profile all use these, so that what one of them calls wrong, all do.
 */
const CHECKS: Readonly<Record<SessionRule, Check>> = {
  // Nobody comes to the location for a session by video, so that it may take place while it is closed.
  closed: ({ closed, location, date, subject }) =>
    closed === null || isTelehealth(subject)
      ? null
      : `${locationLabel(location)} is closed on ${longDate(date)}: ${closed}.`,
  opening: ({ location, date, start, end, subject }) => {
    const { label, hours } = locationOf(location);
    if (hours.length === 0 || isTelehealth(subject)) return null;
    const day = dayOfWeek(date);
    const open = union(hours.filter(({ weekday }) => weekday === day));
    if (open.some((window) => contains(window, { start, end }))) return null;
    const when = open.map((window) => timeSlot(window.start, window.end)).join(' and ');
    return `${weekdayName(day)} ${timeSlot(start, end)} is not in ${label}’s opening hours${when === '' ? '' : ` (${when})`}.`;
  },
  match: (session) => {
    const { client, therapist } = session;
    const { name: display_name, ...own } = therapist;
    const counts = countsAs(session);
    return mismatch({ ...client, client: client.name, therapist: { ...own, display_name, counts, deleted_at: null } });
  },
  bcba: (session) => {
    const { name: display_name, specialization } = session.therapist;
    return needsBcba(session, { display_name, specialization, counts: countsAs(session) });
  },
  employment: ({ therapist: { name, employment }, date }) => notEmployed(name, employment, date),
  site: ({ client, location, subject }) =>
    client.location === location || isTelehealth(subject)
      ? null
      : `${client.name}’s location is ${locationLabel(client.location)}, and this session is at ${locationLabel(location)}.`,
  needs: ({ client, therapist, date }) =>
    needsSentence(client.name, therapist.name, unmetNeeds(client.needs, therapist.tags, date)),
  payer: (session) => {
    const { name, tags } = session.therapist;
    return unmetRequirement(session.client.paid, session, { name, credential: countsAs(session), tags });
  },
  team: ({ client, therapist, known }) =>
    client.careTeamOnly && !known
      ? `${client.name} sees only familiar people, and ${therapist.name} had no session with them in the 90 days before.`
      : null,
  availability: ({ therapist: { name, windows }, agreed, date, start, end }) => {
    if (windows === null) return null;
    const day = dayOfWeek(date);
    const own = windows
      .filter((window) => window.day_of_week === day && holdsOn(window, date))
      .map((window) => ({ start: window.start_minute, end: window.end_minute }));
    if (union([...own, ...agreed]).some((window) => contains(window, { start, end }))) return null;
    return `${weekdayName(day)} ${timeSlot(start, end)} is not in ${name}’s availability.`;
  },
  authorization: ({ client: { authorized }, date, service, subject, isSpent }) => {
    const code = codeOf(service, subject);
    if (authorized === null) return null;
    if (!isSpent && authorized.some((own) => own.code === code && holdsOn(own, date))) return null;
    return unpaidSentence(date);
  },
};

/** A rule that a session breaks, and how, in a sentence. */
export interface Broken {
  readonly rule: SessionRule;
  readonly why: string;
}

/** The rules that a session breaks, the gravest first. */
export const brokenRules = (session: RuledSession): Broken[] =>
  SESSION_RULES.flatMap((rule) => {
    const why = CHECKS[rule](session);
    return why === null ? [] : [{ rule, why }];
  });

/** The rules that another therapist would not break: the others are about the session and the client alone. */
export const isMendedByCover = (rule: SessionRule): boolean =>
  rule !== 'closed' && rule !== 'opening' && rule !== 'site' && rule !== 'authorization';
