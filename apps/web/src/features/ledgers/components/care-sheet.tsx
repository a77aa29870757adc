import { useState } from 'react';
import type { CareReply, CareRow } from '@clinic/contract';
import { isoDate, longDate, type IsoDate } from '@clinic/domain';
import { EmptyState } from '../../../shared/ui/states.tsx';
import type { CareFigure } from '../care.ts';
import { CareSessions } from './care-sessions.tsx';
import { CareTable } from './care-table.tsx';
import css from './ledger.module.css';

/** Every client's care of four weeks, and the priority that follows from it. */
export function CareSheet({ reply, date }: { reply: CareReply; date: IsoDate }) {
  const [opened, setOpened] = useState<{ row: CareRow; figure: CareFigure } | null>(null);
  return (
    <>
      <div className={css.notes}>
        <p className="muted small">
          {longDate(isoDate(reply.from))} to {longDate(isoDate(reply.until))}. The more of it was lost, the higher the
          priority in a plan.
        </p>
      </div>
      {reply.rows.length > 0 ? (
        <CareTable rows={reply.rows} onOpen={(row, figure) => setOpened({ row, figure })} />
      ) : (
        <EmptyState title="No clients">There are no clients at this location.</EmptyState>
      )}
      {opened ? <CareSessions {...opened} date={date} onClose={() => setOpened(null)} /> : null}
    </>
  );
}
