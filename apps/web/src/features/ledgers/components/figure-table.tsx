import type { ReactNode } from 'react';
import { keysOf } from '@clinic/domain';
import { amount } from '../../../shared/amount.ts';
import { personPath } from '../../../shared/person-path.ts';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import table from '../../../shared/ui/table.module.css';
import css from './ledger.module.css';

/** A column besides the figures; `strong` marks entries that need attention, `words` a column that holds no figures. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly strong?: (row: Row) => boolean;
  readonly words?: true;
}

/** `client_id`: whose row it is, if `id` names something else. */
export type Person = { readonly id: string; readonly name: string; readonly client_id?: string };

/** A table with a row for each person. The figures are in minutes; clicking one shows its sessions. */
export function FigureTable<Figure extends string, Row extends Person & Readonly<Record<Figure, number>>>({
  title,
  caption,
  who,
  note,
  words,
  columns,
  rows,
  onOpen,
}: {
  title: string;
  caption: string;
  who: string;
  note?: (row: Row) => string;
  /** What each figure is called, in the order of the columns. */
  words: Readonly<Record<Figure, string>>;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  onOpen: (row: Row, figure: Figure) => void;
}) {
  return (
    <ScrollRegion label={title} className={table.scroll}>
      <DataTable
        caption={caption}
        className={`${table.table} ${css.figures}`}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            head: who,
            names: true,
            cell: (row) => (
              <>
                <Link to={personPath(who === 'Client' ? 'client' : 'therapist', row.client_id ?? row.id)}>
                  {row.name}
                </Link>
                {note ? <span className="small muted"> {note(row)}</span> : null}
              </>
            ),
          },
          ...keysOf(words).map((figure) => ({
            head: words[figure],
            cell: (row: Row) =>
              row[figure] === 0 ? (
                <span className="muted">{amount(0)}</span>
              ) : (
                <Button variant="link" onClick={() => onOpen(row, figure)}>
                  {amount(row[figure])}
                  <span className="sr">
                    , {words[figure].toLowerCase()}, {row.name}: show the sessions
                  </span>
                </Button>
              ),
          })),
          ...columns.map(({ label, cell, strong, words: holdsWords }) => ({
            head: label,
            th: { 'data-words': holdsWords },
            td: (row: Row) => ({ className: strong?.(row) ? css.short : undefined, 'data-words': holdsWords }),
            cell,
          })),
        ]}
      />
    </ScrollRegion>
  );
}
