import { statusShown, type InnerStatus } from '@clinic/contract';
import { isoDate, shortDate, timeSlot } from '@clinic/domain';
import { minutesAfter } from '../../db/wall-time.ts';
import type { Answer } from '../memory/call-day.ts';

/** A session as an event recorded it; without the fields that the event did not record. */
export interface RecordedState {
  readonly therapistId?: string | null;
  readonly bookedTherapistId?: string | null;
  readonly status?: InnerStatus;
  /** When the session starts, by the clinic's clock: `YYYY-MM-DD HH:MM:SS`. */
  readonly starts?: string;
  readonly ends?: string;
}

export interface RecordedEvent {
  readonly what: string;
  readonly reason: string | null;
  readonly before: RecordedState | null;
  readonly after: RecordedState | null;
}

type NameOf = (therapistId: string) => string;

/** Describes in one sentence what an event did to its session. */
export function wordsOf({ what, reason, before, after }: RecordedEvent, nameOf: NameOf): string {
  const who = personOf(after, nameOf);
  const had = personOf(before, nameOf);
  const when = timesOf(after);
  switch (what) {
    case 'booked':
      return sentence(`Booked ${withWhom(who)}`, when);
    case 'moved':
      return `Moved from ${timesOf(before)} to ${when}${who === had ? '' : `, ${withWhom(who)}`}`;
    case 'reassigned':
      return who === null ? `${had ?? 'The therapist'} was taken off the session` : `Given to ${who}${was(had)}`;
    case 'covered':
      return sentence(coverWords(after, who, nameOf), when);
    case 'swapped':
      return sentence(`Given to ${who ?? 'no therapist'}${was(had)}`, when);
    case 'unassigned':
    case 'uncovered':
      return sentence(`Left without a therapist${was(had)}`, when);
    case 'returned':
      return sentence('Needs cover again', when);
    case 'cancelled':
      return sentence('Cancelled', when);
    case 'family told: cancelled':
      return sentence('The family was told, and the session cancelled', when);
    case 'joined':
      return sentence(`One session again, ${withWhom(who)}`, when);
    case 'kept':
      return sentence(`Stays ${withWhom(who)}`, when);
    case 'undone':
      return sentence(after?.status === 'entered-in-error' ? 'Undone' : `Undone: ${withWhom(who)} again`, when);
    default:
      return changedWords(reason, before, after);
  }
}

const withWhom = (name: string | null): string => (name === null ? 'without a therapist' : `with ${name}`);
const was = (name: string | null): string => (name === null ? '' : `, previously with ${name}`);
const sentence = (words: string, when: string): string => (when === '' ? words : `${words}, ${when}`);

const personOf = (state: RecordedState | null, nameOf: NameOf): string | null =>
  state?.therapistId == null ? null : nameOf(state.therapistId);

function coverWords(after: RecordedState | null, who: string | null, nameOf: NameOf): string {
  if (who === null) return 'Left without a therapist';
  const other = after?.bookedTherapistId;
  return other == null ? `Given to ${who}` : `Covered by ${who} for ${nameOf(other)}`;
}

function changedWords(reason: string | null, before: RecordedState | null, after: RecordedState | null): string {
  if (reason === 'import') return 'Changed by an import';
  const status = after?.status;
  if (status === undefined || status === before?.status) return 'Changed';
  return `Marked ${statusShown(status, after?.therapistId != null)}`;
}

/**
 * A session's date and times, such as `Fri, Nov 20, 8:30 AM - 11:30 AM`; empty when the event did not record the times.
 */
function timesOf(state: RecordedState | null): string {
  if (state?.starts === undefined || state.ends === undefined) return '';
  const date = isoDate(state.starts.slice(0, 10));
  return `${shortDate(date)}, ${timeSlot(minutesAfter(date, state.starts), minutesAfter(date, state.ends))}`;
}

/** Describes the result of a call in one sentence. */
export function callWords(answer: Answer['answer'], who: string): string {
  switch (answer) {
    case 'told':
      return `${who}: told`;
    case 'sheet':
      return `${who}: told by the day sheet`;
    case 'not-told':
      return `${who}: not told after all`;
    case 'left-message':
      return `${who}: left a message`;
    case 'no-answer':
      return `${who}: no answer`;
    case 'said-no':
      return `${who}: said no`;
  }
}
