/** What a day's call list is made from, and what is on it. */
import type {
  CallKind,
  FreeTime,
  Interval,
  IsoDate,
  Language,
  Location,
  NetChange,
  PersonKind,
  ToldStretch,
} from '@clinic/domain';
import type { Answer, BeforeRow, PersonKey } from '../memory/call-day.ts';
import type { Heard, Reached } from '../memory/knows.ts';
import type { Closure } from '../../day/facts/closures.ts';
import type { ClinicDay, DayAbsence, DayAppointment, ExtraHours } from '../../day/facts/day.ts';

/** A person who can be told of changes. */
export interface CallPerson {
  readonly kind: PersonKind;
  readonly id: string;
  readonly firstName: string;
  readonly displayName: string;
  /** The location where they belong. */
  readonly location: Location;
}

/** All data that determines a day's call list. */
export interface CallData {
  readonly day: ClinicDay;
  readonly before: readonly BeforeRow[];
  readonly answers: readonly Answer[];
  /** What people heard outside calls, oldest first. */
  readonly heard: readonly Reached[];
  /** The sessions that wait for a plan since an absence ended, by key, each with who is back, in words. */
  readonly returned: ReadonlyMap<string, string>;
  /** The sessions, by key, that the last plan had changed, which was undone and whose absences still need a plan. */
  readonly undone: ReadonlySet<string>;
  /** Everyone who has or had a session that day, except people who have left the clinic. */
  readonly people: readonly CallPerson[];
  /** The absences of people who are no longer part of the day; the other absences are in `day`. */
  readonly further: readonly DayAbsence[];
  /**
   * What therapists who are no longer part of the day have booked at other locations; all other appointments are in
   * `day`.
   */
  readonly elsewhere: readonly DayAppointment[];
  /** The therapists and clients who have not met, of the day's supervisions: `THERAPIST CLIENT`. */
  readonly unmet: ReadonlySet<string>;
  /** Whether a therapist may serve a session, and is available in some of this time, by the engine's rules. */
  readonly serves: (therapistId: string, session: DayAppointment, window: Interval) => boolean;
  /** The closures of the location on the date. */
  readonly closures: readonly Closure[];
  readonly present: Present;
}

/** Everyone's absences, also those of people who are no longer part of the day. */
export const absencesOf = ({ day, further }: Pick<CallData, 'day' | 'further'>): readonly DayAbsence[] => [
  ...further,
  ...day.absences,
];

/** The current time, in the forms needed to decide which calls a date still has. */
export interface Present {
  readonly today: IsoDate;
  /** Minutes after midnight; null unless the date is today. */
  readonly minutes: number | null;
  /** People are not told about sessions that have ended by this minute. */
  readonly from: number;
  /**
   * The clinic's time in minutes after midnight, even in a demo clinic; 1440 for a past date, and null for a future
   * date.
   */
  readonly clock: number | null;
}

/** A session on a line, with the id and name of the other person in it. */
export interface LineSession extends DayAppointment {
  readonly with: { readonly id: string; readonly name: string } | null;
  /**
   * Only the added parts, if the therapist already knows about the rest of the session and keeps it; null if the line
   * is about the whole session.
   */
  readonly parts: readonly Interval[] | null;
  /**
   * The keys of the original appointments (`rootOf`) of all sessions that are declined when the person says no to this
   * one.
   */
  readonly roots: readonly string[];
}

/** Why a line waits for the next plan. */
export interface Waits {
  /**
   * The therapists who said no to these sessions, or who are away at that time, and those who are back, each described
   * in words: what the next plan will settle.
   */
  readonly waitsFor: readonly string[];
  /**
   * The time that a therapist has lost, and that they may have after all, with what is past of it: the next plan may give
   * it back, or someone who is asked to take it may say no. Empty for a family.
   */
  readonly undecided: readonly ToldStretch[];
  /** A therapist's new time that they have only if someone who is asked says yes. Empty for a family. */
  readonly unsettled: readonly ToldStretch[];
}

/** A therapist who is asked, and the name that callers say. */
export interface Asked {
  readonly id: string;
  readonly name: string;
  readonly spoken: string;
}

/** A person who must be told, and what to tell them. */
export interface Line extends Waits {
  readonly person: PersonKey;
  readonly kind: PersonKind;
  readonly id: string;
  readonly name: string;
  readonly call: CallKind;
  readonly version: string;
  readonly first: number;
  readonly urgent: boolean;
  readonly here: boolean;
  /** What to say, in English. */
  readonly say: readonly string[];
  /** What to say in another language. */
  readonly sayIn: (language: Language) => readonly string[];
  /** Returns the sentences for only some of the changes, which leave the person with this day. */
  readonly sayOf: (changes: readonly NetChange[], now: readonly ToldStretch[], language: Language) => readonly string[];
  readonly again: { readonly was: string; readonly now: string; readonly from: Answer | Heard } | null;
  /** Who must say yes before this person is told, in the list's order; the line stands under the last of them. */
  readonly after: readonly Asked[];
  /** What a therapist is told about the time in which they have lost their sessions; empty for a family. */
  readonly free: readonly FreeTime[];
  /** Whether the person may have heard something that no longer holds, such as in a message. */
  readonly outdated: boolean;
  /** The changes that a therapist is asked for, with what they would replace; empty for a family. */
  readonly asked: readonly NetChange[];
  /** The changes that only take back what a therapist was asked for, and had not agreed to; empty for a family. */
  readonly withdrawn: readonly NetChange[];
  readonly sessions: readonly LineSession[];
  /** The time outside the therapist's availability that the line asks for. */
  readonly extra: readonly ExtraHours[];
  /**
   * The time until which the family can be asked to wait for a therapist; null if all their sessions have one, or if it
   * is too late.
   */
  readonly ringBy: number | null;
  /** The time without a therapist that a family is asked about; empty for a therapist. */
  readonly open: readonly ToldStretch[];
  /** The time by which the clinic promised to ring the family again about this, if the promise is due; null if not. */
  readonly promised: number | null;
  readonly since: readonly Answer[];
  /** When the person saw this version on their own page: a timestamp as PostgreSQL writes it. */
  readonly seenAt: string | null;
  /** The id of the newest call since they were told their whole day, also one that `since` leaves out; else empty. */
  readonly newest: string;
  /** How the person's day differs from what they were last told. */
  readonly changes: readonly NetChange[];
  /** Returns the name by which this person knows the person with the given id. */
  readonly nameOf: (id: string) => string;
  /** The person's whole day as it is now. They know this day once they have been told. */
  readonly now: readonly ToldStretch[];
}

/** A person who was told, and whose day has not changed since. */
export interface Told {
  readonly person: PersonKey;
  readonly kind: PersonKind;
  readonly id: string;
  readonly name: string;
  readonly told: Answer;
}

export interface CallList {
  readonly lines: readonly Line[];
  readonly told: readonly Told[];
  /** The next minute at which a promise to ring a family again falls due, which changes the list; null if none will. */
  readonly nextRing: number | null;
}
