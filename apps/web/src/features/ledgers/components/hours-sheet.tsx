import { useState } from 'react';
import type { HoursReply, HoursRow } from '@clinic/contract';
import { formatTime, type IsoDate } from '@clinic/domain';
import { EmptyState } from '../../../shared/ui/states.tsx';
import { weekWords, type Figure } from '../model.ts';
import { HoursSessions } from './hours-sessions.tsx';
import { HoursTable } from './hours-table.tsx';
import { RulesForm } from './rules-form.tsx';
import css from './ledger.module.css';

/** Every therapist's hours, and which rules are off for want of data. */
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
        <HoursTable rows={reply.rows} onOpen={(row, figure) => setOpened({ row, figure })} />
      ) : (
        <EmptyState title="No therapists">No one is with the clinic here on this date.</EmptyState>
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
