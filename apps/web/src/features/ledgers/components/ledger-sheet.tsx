import { useState, type ComponentProps, type ReactNode } from 'react';
import { EmptyState } from '../../../shared/ui/states.tsx';
import type { Query } from '../../../shared/api/query-of.ts';
import { FigureTable, type Person } from './figure-table.tsx';
import { SessionsDialog, type ShownSession } from './sessions-dialog.tsx';
import css from './ledger.module.css';

/**
 * A ledger: a description, a row for each person, and the sessions behind the figure that was clicked. `children`
 * holds any further notes.
 */
export function LedgerSheet<Figure extends string, Row extends Person & Readonly<Record<Figure, number>>, Session>({
  about,
  off,
  children,
  empty,
  of,
  behind,
  show,
  ...table
}: Omit<ComponentProps<typeof FigureTable<Figure, Row>>, 'onOpen'> & {
  about: ReactNode;
  off: readonly { readonly rule: string; readonly words: string }[];
  children?: ReactNode;
  empty: { readonly title: string; readonly text: string };
  /** What to add after a figure's name in the title of its dialog, for example `97153, Acme`. */
  of?: (row: Row) => string;
  behind: (row: Row) => Query<Session[]>;
  show: (sessions: readonly Session[], row: Row, figure: Figure) => readonly ShownSession[];
}) {
  const [opened, setOpened] = useState<{ row: Row; figure: Figure } | null>(null);
  return (
    <>
      <div className={css.notes}>
        <p className="muted small">{about}</p>
        {off.map(({ rule, words }) => (
          <p key={rule}>{words}</p>
        ))}
        {children}
      </div>
      {table.rows.length > 0 ? (
        <FigureTable {...table} onOpen={(row, figure) => setOpened({ row, figure })} />
      ) : (
        <EmptyState title={empty.title}>{empty.text}</EmptyState>
      )}
      {opened ? (
        <SessionsDialog
          title={`${opened.row.name}: ${table.words[opened.figure].toLowerCase()}${of ? ` of ${of(opened.row)}` : ''}`}
          behind={behind(opened.row)}
          show={(sessions) => show(sessions, opened.row, opened.figure)}
          onClose={() => setOpened(null)}
        />
      ) : null}
    </>
  );
}
