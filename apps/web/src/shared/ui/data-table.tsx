import type { ComponentProps, Key, ReactNode } from 'react';
import css from './table.module.css';

type Attributes<E extends 'td' | 'th' | 'tr'> = ComponentProps<E> & { readonly [data: `data-${string}`]: unknown };

export interface Column<Row> {
  readonly head: ReactNode;
  readonly cell: (row: Row, index: number) => ReactNode;
  /** Whether the head is only for screen readers. */
  readonly unseen?: boolean;
  /** Whether the column names its row. */
  readonly names?: boolean;
  readonly th?: Attributes<'th'>;
  readonly td?: (row: Row) => Attributes<'td'>;
}

/** A table with a row for each entry. */
export function DataTable<Row>({
  caption,
  captionClass = 'sr',
  className = css.table,
  columns,
  rows,
  keyOf,
  tr,
}: {
  caption: ReactNode;
  captionClass?: string | undefined;
  className?: string | undefined;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => Key;
  tr?: (row: Row, index: number) => Attributes<'tr'>;
}) {
  return (
    <table className={className}>
      <caption className={captionClass}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, unseen, th }, i) => (
            <th key={i} scope="col" {...th}>
              {unseen ? <span className="sr">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, r) => (
          <tr key={keyOf(row, r)} {...tr?.(row, r)}>
            {columns.map(({ cell, names, td }, i) =>
              names ? (
                <th key={i} scope="row" {...td?.(row)}>
                  {cell(row, r)}
                </th>
              ) : (
                <td key={i} {...td?.(row)}>
                  {cell(row, r)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
