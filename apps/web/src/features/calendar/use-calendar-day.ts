import { useMemo } from 'react';
import type { SlotsReply } from '@clinic/contract';
import type { Interval } from '@clinic/domain';
import { keyOf, minutesAt } from './appointments.ts';
import type { View } from './bars.ts';
import { buildRows, readDay, type BaseRow, type Day } from './rows.ts';

export interface CalendarDay {
  day: Day;
  rows: readonly BaseRow[];
  credentialOf: (therapist: string) => string | null;
  availableOf: (therapist: string) => readonly Interval[];
}

/** The wire's day made ready for drawing; null until it has arrived. */
export function useCalendarDay(reply: SlotsReply | undefined, view: View, adminClient: string): CalendarDay | null {
  const day = useMemo(() => (reply ? readDay(reply, adminClient) : null), [reply, adminClient]);
  const rows = useMemo(() => (reply && day ? buildRows(reply, day, view) : []), [reply, day, view]);
  return useMemo(() => {
    if (!reply || !day) return null;
    const credentials = new Map(
      reply.people.filter((p) => p.type === 'therapist').map((p) => [keyOf(p.name), p.credential ?? null]),
    );
    const windows = new Map<string, Interval[]>();
    for (const a of reply.availabilities) {
      const start = minutesAt(a.start_time.slice(11, 16));
      const end = minutesAt(a.end_time.slice(11, 16));
      if (start === null || end === null) continue;
      const key = keyOf(a.therapist_name);
      const list = windows.get(key);
      if (list) list.push({ start, end });
      else windows.set(key, [{ start, end }]);
    }
    return {
      day,
      rows,
      credentialOf: (therapist) => credentials.get(keyOf(therapist)) ?? null,
      availableOf: (therapist) => windows.get(keyOf(therapist)) ?? [],
    };
  }, [reply, day, rows]);
}
