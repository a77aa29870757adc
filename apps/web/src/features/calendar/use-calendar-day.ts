import { useMemo } from 'react';
import type { SlotsReply } from '@clinic/contract';
import type { Interval } from '@clinic/domain';
import { keyOf } from './appointments.ts';
import type { View } from './bars.ts';
import { buildRows, readAvailable, readDay, type BaseRow, type Day } from './rows.ts';

export interface CalendarDay {
  day: Day;
  rows: readonly BaseRow[];
  credentialOf: (therapist: string) => string | null;
  availableOf: (therapist: string) => readonly Interval[];
}

/** The day, ready to be rendered; null until it has loaded. */
export function useCalendarDay(reply: SlotsReply | undefined, view: View, adminClient: string): CalendarDay | null {
  const day = useMemo(() => (reply ? readDay(reply, adminClient) : null), [reply, adminClient]);
  const available = useMemo(() => (reply ? readAvailable(reply) : undefined), [reply]);
  const rows = useMemo(
    () => (reply && day ? buildRows(reply, day, view, available) : []),
    [reply, day, view, available],
  );
  return useMemo(() => {
    if (!reply || !day) return null;
    const credentials = new Map(
      reply.people.filter((p) => p.type === 'therapist').map((p) => [keyOf(p.name), p.credential ?? null]),
    );
    return {
      day,
      rows,
      credentialOf: (therapist) => credentials.get(keyOf(therapist)) ?? null,
      availableOf: (therapist) => available?.get(keyOf(therapist)) ?? [],
    };
  }, [reply, day, rows, available]);
}
