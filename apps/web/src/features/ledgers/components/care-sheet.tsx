import { useState } from 'react';
import type { CareReply, CareRow } from '@clinic/contract';
import { duration, isoDate, longDate, type IsoDate } from '@clinic/domain';
import { EmptyState } from '../../../shared/ui/states.tsx';
import { CARE_FIGURES, CARE_WORDS, lostShare, type CareFigure } from '../care.ts';
import { CareSessions } from './care-sessions.tsx';
import { FigureTable, type Column } from './figure-table.tsx';
import css from './ledger.module.css';

const COLUMNS: readonly Column<CareRow>[] = [
  { label: 'Share lost', cell: (row) => `${lostShare(row)} %` },
  {
    label: 'Priority',
    cell: ({ priority, by_hand }) => `${priority} %${by_hand ? ', set by hand' : ''}`,
    strong: ({ priority }) => priority > 100,
  },
  { label: 'Authorized', cell: ({ authorized }) => (authorized === null ? 'not known' : duration(authorized)) },
  {
    label: 'Authorized, left',
    cell: ({ left }) => (left === null ? 'not known' : duration(left)),
    strong: ({ left }) => left === 0,
  },
];

/** Each client's care in four weeks, and the priority that follows from it. */
export function CareSheet({ reply, date }: { reply: CareReply; date: IsoDate }) {
  const [opened, setOpened] = useState<{ row: CareRow; figure: CareFigure } | null>(null);
  return (
    <>
      <div className={css.notes}>
        <p className="muted small">
          {longDate(isoDate(reply.from))} to {longDate(isoDate(reply.until))}. The more of it was lost, the higher the
          priority in a plan.
        </p>
        {reply.off.map((off) => (
          <p key={off.rule}>{off.words}</p>
        ))}
      </div>
      {reply.rows.length > 0 ? (
        <FigureTable
          title="Care"
          caption="Care of each client"
          who="Client"
          figures={CARE_FIGURES}
          words={CARE_WORDS}
          columns={COLUMNS}
          rows={reply.rows}
          onOpen={(row, figure) => setOpened({ row, figure })}
        />
      ) : (
        <EmptyState title="No clients">There are no clients at this location.</EmptyState>
      )}
      {opened ? <CareSessions {...opened} date={date} onClose={() => setOpened(null)} /> : null}
    </>
  );
}
