import type { Unread } from '../../../shared/api/whole-day.ts';
import { Notice } from '../../../shared/ui/states.tsx';

/** Says how much of the day is missing because it could not be read. */
export function UnreadRows({ unread }: { unread: Unread }) {
  const counts = unreadWords(unread);
  return (
    <Notice tone="warn" title={`${new Intl.ListFormat('en-US').format(counts)} could not be read`}>
      They are missing below. Look in the calendar’s own system before you plan around them.
    </Notice>
  );
}

/** How much could not be read, in words, each kind by itself. */
export function unreadWords({ sessions, availabilities, absences }: Unread): string[] {
  const count = (n: number, one: string, many: string): string[] => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);
  return [
    ...count(sessions, 'session', 'sessions'),
    ...count(availabilities, 'available time', 'available times'),
    ...count(absences, 'absence', 'absences'),
  ];
}
