import type { ReactNode } from 'react';
import { duration, keysOf } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import table from '../../../shared/ui/table.module.css';
import css from './ledger.module.css';

/** A column besides the figures; `strong` marks entries that need attention. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly strong?: (row: Row) => boolean;
}

export type Person = { readonly id: string; readonly name: string };

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
  const figures = keysOf(words);
  return (
    <div className={table.scroll} tabIndex={0} role="region" aria-label={title}>
      <table className={`${table.table} ${css.figures}`}>
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {[who, ...figures.map((figure) => words[figure]), ...columns.map(({ label }) => label)].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.name}
                {note ? <span className="small muted"> {note(row)}</span> : null}
              </th>
              {figures.map((figure) => (
                <td key={figure}>
                  {row[figure] === 0 ? (
                    <span className="muted">0</span>
                  ) : (
                    <Button variant="link" onClick={() => onOpen(row, figure)}>
                      {duration(row[figure])}
                      <span className="sr">
                        , {words[figure].toLowerCase()}, {row.name}: show the sessions
                      </span>
                    </Button>
                  )}
                </td>
              ))}
              {columns.map(({ label, cell, strong }) => (
                <td key={label} className={strong?.(row) ? css.short : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
