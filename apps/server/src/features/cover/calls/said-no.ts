import { groupBy, listWords, plainWindow, sayTime, union, type Interval } from '@clinic/domain';
import { rootOf, type DayAppointment, type Decline } from '../../../clinic-day/day.ts';
import type { Answer } from '../../../clinic-day/call-day.ts';
import { declinedWords } from '../../../clinic-day/declines.ts';
import type { CallData } from './lines.ts';

/** A person who said no, as the list shows them. */
export interface SaidNo {
  readonly id: string;
  readonly therapist: string;
  readonly words: string;
  readonly by: string;
  /** Whether the therapist said no on their own page. */
  readonly byPage: boolean;
  readonly reason: string | null;
}

/** Everyone who said no that day, newest first. */
export function whoSaidNo(data: CallData): SaidNo[] {
  const names = new Map(data.people.map((person) => [person.id, person.displayName]));
  const answers = new Map(data.answers.map((answer) => [answer.id, answer]));
  return data.day.declines
    .map((decline) => ({
      id: decline.id,
      therapist:
        names.get(decline.therapistId) ??
        data.day.therapists.find((t) => t.id === decline.therapistId)?.displayName ??
        '',
      words: `${toWhat(data, decline, names)}, ${declinedWords(decline)}`,
      by: decline.by,
      ...reasonOf(answers.get(decline.answerId ?? '')),
    }))
    .reverse();
}

const reasonOf = (answer: Answer | undefined): Pick<SaidNo, 'byPage' | 'reason'> => ({
  byPage: answer?.byPage ?? false,
  reason: answer?.note ?? null,
});

function toWhat({ day }: CallData, decline: Decline, names: ReadonlyMap<string, string>): string {
  if (decline.scope === 'today') return 'no other session today';
  if (decline.until !== null) return `away until ${sayTime(decline.until)}`;
  if (decline.sessions.length === 0) return `away ${windowsWords(decline.away)}`;
  const pieces = day.appointments.filter((a) => a.occupies && decline.sessions.includes(rootOf(a)));
  // Other pieces of the session may belong to other therapists, so only this therapist's pieces are named. Once a new
  // plan has given those away, all pieces are named.
  const theirs = pieces.filter((a) => a.therapistId === decline.therapistId);
  return sessionsWords(theirs.length > 0 ? theirs : pieces, names);
}

const windowsWords = (windows: readonly Interval[]): string => listWords(windows.map(plainWindow));

/** For example `Bo Lee 8:30 to 11:30 and Mo Diaz 1:00 to 2:00`; clients with the same times are named together. */
function sessionsWords(sessions: readonly DayAppointment[], names: ReadonlyMap<string, string>): string {
  const clients = [...groupBy(sessions, (a) => a.clientId ?? '')].map(([id, own]) => ({
    name: names.get(id) ?? 'a session',
    times: windowsWords(union(own)),
  }));
  const parts = [...groupBy(clients, ({ times }) => times)].map(
    ([times, same]) => `${listWords(same.map(({ name }) => name))} ${times}`,
  );
  return parts.length === 0 ? 'a session' : listWords(parts);
}
