import type { DifferenceSide, FolderImport } from '@clinic/contract';
import { clockTime, isLocation, isoDate, locationLabel, parseTime, shortDate } from '@clinic/domain';

/** Pure functions for what the billing system has otherwise. */

const counted = (n: number, one: string): string => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`;

/** What the last export of the billing system needs, in one line for the Today page; null if nothing. */
export function noticeWords(
  last: Pick<FolderImport, 'state' | 'questions' | 'newly_refused'>,
  day: string,
  differences: number,
): string | null {
  const what = `The billing system’s export of ${day}`;
  if (last.state === 'failed') return `${what} could not be read`;
  if (last.state === 'waiting')
    return last.questions > 0
      ? `${what} waits for ${counted(last.questions, 'answer')}`
      : `${what} waits: ${counted(last.newly_refused, 'row')} would be left out`;
  return differences > 0 ? `${what} differs in ${counted(differences, 'row')}` : null;
}

const timeOf = (side: DifferenceSide): string =>
  `${clockTime(parseTime(side.start) ?? 0)} – ${clockTime(parseTime(side.end) ?? 0)}`;

/** What a side has otherwise than the other, in words: `Cancelled · 9:00 AM – 10:00 AM`. */
export function sideWords(side: DifferenceSide, other: DifferenceSide): string {
  const parts = [
    side.status === other.status ? null : side.status,
    side.date === other.date ? null : shortDate(isoDate(side.date)),
    side.start === other.start && side.end === other.end ? null : timeOf(side),
    side.therapist === other.therapist ? null : (side.therapist ?? 'No therapist'),
    side.client === other.client ? null : (side.client ?? 'No client'),
    side.location === other.location ? null : placeWords(side.location),
    side.subject === other.subject ? null : side.subject,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

const placeWords = (location: string): string => (isLocation(location) ? locationLabel(location) : location);

/** Which session a difference is about, as it is here. */
export const sessionWords = (ours: DifferenceSide): string =>
  `${shortDate(isoDate(ours.date))}, ${clockTime(parseTime(ours.start) ?? 0)}, ${placeWords(ours.location)}`;
