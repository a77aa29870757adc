import type { ReactNode } from 'react';
import { keysOf } from '@clinic/domain';
import { amount } from '../../../shared/amount.ts';
import { Button } from '../../../shared/ui/button.tsx';
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
    <ScrollRegion label={title} className={table.scroll}>
      <table className={`${table.table} ${css.figures}`}>
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{who}</th>
            {[...figures.map((figure) => ({ label: words[figure], words: undefined })), ...columns].map((column) => (
              <th key={column.label} scope="col" data-words={column.words}>
                {column.label}
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
                    <span className="muted">{amount(0)}</span>
                  ) : (
                    <Button variant="link" onClick={() => onOpen(row, figure)}>
                      {amount(row[figure])}
                      <span className="sr">
                        , {words[figure].toLowerCase()}, {row.name}: show the sessions
                      </span>
                    </Button>
                  )}
                </td>
              ))}
              {columns.map(({ label, cell, strong, words: holdsWords }) => (
                <td key={label} className={strong?.(row) ? css.short : undefined} data-words={holdsWords}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
