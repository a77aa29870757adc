import { duration, intersect, minutesOf, nameKey, subtract, type Interval } from '@clinic/domain';
import { countSessions } from '../../../shared/count-sessions.ts';
import { windowOf, type AbsenceEntry } from './model.ts';

/**
 * Pure functions that work out which sessions of a day the absences affect, and for how long, and say so in words.
 * Loaded with the panel.
 */

/**
 * A session that absences can affect, or a piece of one, with times in minutes. Never administrative time or a
 * cancelled session.
 */
export interface TouchableSession extends Interval {
  /** The session's key, which its pieces share. */
  session: string;
  client: string;
  /** Null when no one has the session. */
  therapist: string | null;
  /** The therapist who was booked, if a commit gave the session to another therapist or to no one. */
  bookedWith: string | null;
}

export interface Touched {
  sessions: number;
  minutes: number;
  /** How many clients lose time. */
  families: number;
}

const isName = (name: string | null, entry: AbsenceEntry): boolean =>
  name !== null && nameKey(name) === nameKey(entry.name);

/** The sessions of the entry's person that day, including those that a commit took from this person. */
export const sessionsOf = (sessions: readonly TouchableSession[], entry: AbsenceEntry): TouchableSession[] =>
  sessions.filter((s) =>
    entry.type === 'client' ? isName(s.client, entry) : isName(s.therapist, entry) || isName(s.bookedWith, entry),
  );

/** Whether another therapist has the session instead of the entry's person. */
export const isCovered = (session: TouchableSession, entry: AbsenceEntry): boolean =>
  entry.type === 'therapist' && session.therapist !== null && !isName(session.therapist, entry);

/** What all selections affect together. Time affected by two selections counts once. */
export function touchedBy(sessions: readonly TouchableSession[], entries: readonly AbsenceEntry[]): Touched {
  const touched: TouchableSession[] = [];
  let minutes = 0;
  for (const session of sessions) {
    const windows = entries
      .filter((entry) => sessionsOf([session], entry).length > 0)
      .map(windowOf)
      .filter((w) => w !== null);
    const lost = session.end - session.start - minutesOf(subtract([session], windows));
    if (lost === 0) continue;
    touched.push(session);
    minutes += lost;
  }
  const families = new Set(touched.map((session) => nameKey(session.client))).size;
  return { sessions: countSessions(touched), minutes, families };
}

/**
 * What one window affects, in words: `2 sessions, 6 h, need cover`, or who covers them. Of a person's only window, also
 * says whether the rest of the day stays.
 */
export function effectInWords(sessions: readonly TouchableSession[], entry: AbsenceEntry, only = true): string {
  const window = windowOf(entry);
  if (!window) return 'No time yet';
  const own = sessionsOf(sessions, entry);
  const hit = own.flatMap((session) => {
    const part = intersect(session, window);
    return part ? [{ ...session, ...part }] : [];
  });
  if (own.length === 0) return 'No sessions on this day';
  if (hit.length === 0) return 'No sessions then';
  const minutes = minutesOf(hit);
  const rest = !only || minutes === minutesOf(own) ? '' : '; the rest of the day stays';
  const count = countSessions(hit);
  const covered = hit.filter((each) => isCovered(each, entry));
  if (covered.length > 0) {
    const by = new Intl.ListFormat('en-US').format(new Set(covered.flatMap((each) => each.therapist ?? [])));
    const open = minutes - minutesOf(covered);
    const except = open === 0 ? '' : `, except ${duration(open)}`;
    return `${count} ${count === 1 ? 'session' : 'sessions'}, covered by ${by}${except}${rest}`;
  }
  const what = entry.type === 'therapist' ? ['needs cover', 'need cover'] : ['is cancelled', 'are cancelled'];
  if (count > 1) return `${count} sessions, ${duration(minutes)}, ${what[1]}${rest}`;
  const whole = own.filter((each) => each.session === hit[0]?.session);
  if (minutes === minutesOf(whole)) return `1 session, ${duration(minutes)}, ${what[0]}${rest}`;
  const which = startOf(hit) === startOf(whole) ? 'first' : endOf(hit) === endOf(whole) ? 'last' : 'middle';
  return `1 session loses its ${which} ${duration(minutes)}${rest}`;
}

const startOf = (list: readonly Interval[]): number => Math.min(...list.map(({ start }) => start));
const endOf = (list: readonly Interval[]): number => Math.max(...list.map(({ end }) => end));

/** The state of a recorded absence, in words: who covers its sessions, and what still needs cover. */
export const recordedInWords = (sessions: readonly TouchableSession[], entry: AbsenceEntry): string =>
  effectInWords(sessions, entry, false);
