import { compareNames, groupBy, listWords, plainWindow, sayTime, union } from '@clinic/domain';
import type { Decline } from '../../day/facts/day.ts';
import type { Answer } from '../memory/call-day.ts';
import { declinedWords } from '../memory/declines.ts';
import { holds } from '../../day/facts/taken-back.ts';
import { awayWindows } from '../../day/facts/uncovered.ts';
import { absencesOf, type CallData } from './line.ts';

/** A person who said no, as shown in the list. */
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
  const absent = awayWindows({ absences: absencesOf(data) });
  return data.day.declines
    .filter((decline) => holds(decline, absent.get(decline.therapistId) ?? []))
    .map((decline) => ({
      id: decline.id,
      therapist:
        names.get(decline.therapistId) ??
        data.day.therapists.find((t) => t.id === decline.therapistId)?.displayName ??
        '',
      words: `${toWhat(decline, names)}, ${declinedWords(decline)}`,
      by: decline.by,
      ...reasonOf(answers.get(decline.answerId ?? '')),
    }))
    .reverse();
}

const reasonOf = (answer: Answer | undefined): Pick<SaidNo, 'byPage' | 'reason'> => ({
  byPage: answer?.byPage ?? false,
  reason: answer?.note ?? null,
});

function toWhat(decline: Decline, names: ReadonlyMap<string, string>): string {
  if (decline.scope === 'today') return 'no other session today';
  if (decline.until !== null) return `away until ${sayTime(decline.until)}`;
  return timesWords(decline.saidTo, names);
}

/** For example `Bo Lee 8:30 to 11:30 and Mo Diaz 1:00 to 2:00`; clients with the same times are named together. */
function timesWords(times: Decline['saidTo'], names: ReadonlyMap<string, string>): string {
  const clients = [...groupBy(times, ({ client }) => client ?? '')].map(([id, own]) => ({
    name: names.get(id) ?? 'a session',
    times: listWords(union(own).map(plainWindow)),
  }));
  const parts = [...groupBy(clients, (client) => client.times)].map(
    ([shared, same]) => `${listWords(same.map(({ name }) => name).sort(compareNames))} ${shared}`,
  );
  return parts.length === 0 ? 'a session' : listWords(parts);
}
