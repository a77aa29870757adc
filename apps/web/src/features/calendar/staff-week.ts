import { DAY_END, DAY_START, intersect } from '@clinic/domain';
import type { View } from './bars.ts';
import type { BaseRow } from './rows.ts';
import { addMinutes, freeOf, minutesIn, NO_MINUTES, NO_ROW, type DayOfWeek, type Minutes } from './week.ts';

/** A therapist's or client's line in the week of a location's staff. */
export interface StaffLine {
  readonly key: string;
  readonly name: string;
  readonly credential: string | null;
  readonly open: boolean;
  /** Their row of each date. */
  readonly rows: readonly BaseRow[];
  readonly minutes: Minutes;
  /** Whether something is to settle: time without a therapist, two at once, or a broken rule. */
  readonly settle: boolean;
}

/** Everyone's week: the unassigned sessions, then who has something to settle, then who has most free time. */
export function staffLines(days: readonly DayOfWeek[], view: View): StaffLine[] {
  const people = new Map<string, BaseRow>();
  for (const { rows } of days) for (const row of rows) if (!people.has(row.id)) people.set(row.id, row);
  const lines = [...people.values()].map(({ id, key, name, credential, open }): StaffLine => {
    const rows = days.map((on) => on.rows.find((row) => row.id === id) ?? { ...NO_ROW, id, key, name });
    const minutes = days.map((on, i) => minutesIn(rows[i]!, view, on)).reduce(addMinutes, NO_MINUTES);
    const settle =
      minutes.open > 0 ||
      rows.some((row) => row.sessions.some((all) => all.some((a) => a.clash || a.wrong.length > 0)));
    return { key, name, credential, open, rows, minutes, settle };
  });
  return lines.filter(({ rows }) =>
    rows.some((row) => row.sessions.length + row.available.length + row.stored.length > 0),
  );
}

/** How many of these lines are free in each half hour of a date, from 7:00 AM. */
export function freeByHalfHour(lines: readonly StaffLine[], at: number, on: DayOfWeek): number[] {
  const counts = Array.from({ length: (DAY_END - DAY_START) / 30 }, () => 0);
  for (const { rows } of lines)
    for (const free of rows[at] ? freeOf(rows[at], on) : [])
      for (const i of counts.keys())
        if (intersect(free, { start: DAY_START + i * 30, end: DAY_START + i * 30 + 30 }))
          counts[i] = (counts[i] ?? 0) + 1;
  return counts;
}
