import { sayTime } from '@clinic/domain';
import { rootOf, type Decline } from '../../../clinic-day/day.ts';
import { declinedWords } from '../../../clinic-day/declines.ts';
import type { CallData } from './lines.ts';

/** A person who said no, as the list shows them. */
export interface SaidNo {
  readonly id: string;
  readonly therapist: string;
  readonly words: string;
  readonly by: string;
}

/** Everyone who said no that day, newest first. */
export function whoSaidNo(data: CallData): SaidNo[] {
  const names = new Map(data.people.map((person) => [person.id, person.displayName]));
  return data.day.declines
    .map((decline) => ({
      id: decline.id,
      therapist:
        names.get(decline.therapistId) ??
        data.day.therapists.find((t) => t.id === decline.therapistId)?.displayName ??
        '',
      words: `${toWhat(data, decline, names)}, ${declinedWords(decline)}`,
      by: decline.by,
    }))
    .reverse();
}

function toWhat({ day }: CallData, decline: Decline, names: ReadonlyMap<string, string>): string {
  if (decline.scope === 'today') return 'no other session today';
  if (decline.until !== null) return `away until ${sayTime(decline.until)}`;
  const given = day.appointments.filter((a) => a.occupies && decline.sessions.includes(rootOf(a)));
  const first = given[0];
  if (!first) return 'a session';
  const [start, end] = [Math.min(...given.map((a) => a.start)), Math.max(...given.map((a) => a.end))];
  return `${names.get(first.clientId ?? '') ?? 'a session'} ${sayTime(start)} to ${sayTime(end)}`;
}
