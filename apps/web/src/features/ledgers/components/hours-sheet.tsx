import { useState } from 'react';
import type { HoursReply, HoursRow } from '@clinic/contract';
import { duration, formatTime, type IsoDate } from '@clinic/domain';
import { EmptyState } from '../../../shared/ui/states.tsx';
import { FIGURES, FIGURE_WORDS, overtimeOf, weekWords, type Figure } from '../model.ts';
import { FigureTable, type Column } from './figure-table.tsx';
import { HoursSessions } from './hours-sessions.tsx';
import { RulesForm } from './rules-form.tsx';
import css from './ledger.module.css';

const isBelow = ({ booked, guaranteed }: HoursRow): boolean => guaranteed !== null && booked < guaranteed;

const COLUMNS: readonly Column<HoursRow>[] = [
  { label: 'Most', cell: ({ most }) => duration(most) },
  {
    label: 'Guaranteed',
    cell: (row) =>
      row.guaranteed === null ? 'none' : `${duration(row.guaranteed)}${isBelow(row) ? ', not reached' : ''}`,
    strong: isBelow,
  },
  { label: 'Left', cell: ({ left }) => duration(left) },
  {
    label: 'Overtime ahead',
    cell: (row) => (overtimeOf(row) > 0 ? duration(overtimeOf(row)) : 'none'),
    strong: (row) => overtimeOf(row) > 0,
  },
];

/** Each therapist's hours, and the rules that do not apply because data is missing. */
export function HoursSheet({
  reply,
  date,
  now,
  isAdmin,
}: {
  reply: HoursReply;
  date: IsoDate;
  now: { readonly date: IsoDate; readonly minutes: number };
  isAdmin: boolean;
}) {
  const [opened, setOpened] = useState<{ row: HoursRow; figure: Figure } | null>(null);
  return (
    <>
      <div className={css.notes}>
        <p className="muted small">{weekWords(reply)}. Cover counts the days up to the date chosen.</p>
        {reply.off.map((off) => (
          <p key={off.rule}>{off.words}</p>
        ))}
        {isAdmin ? <RulesForm /> : null}
      </div>
      {reply.rows.length > 0 ? (
        <FigureTable
          title="Hours"
          caption="Hours of each therapist"
          who="Therapist"
          note={({ credential }) => credential}
          figures={FIGURES}
          words={FIGURE_WORDS}
          columns={COLUMNS}
          rows={reply.rows}
          onOpen={(row, figure) => setOpened({ row, figure })}
        />
      ) : (
        <EmptyState title="No therapists">No therapist works at this location on this date.</EmptyState>
      )}
      {opened ? (
        <HoursSessions
          {...opened}
          date={date}
          now={{ date: now.date, time: formatTime(now.minutes) }}
          onClose={() => setOpened(null)}
        />
      ) : null}
    </>
  );
}
