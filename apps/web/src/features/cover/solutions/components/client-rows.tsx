import { memo } from 'react';
import type { Mode } from '../model.ts';
import { cellKey } from '../mix.ts';
import { isCell, type CellView, type ClientBlock, type DashView, type OptionColumn } from '../table.ts';
import { OptionCell } from './option-cell.tsx';
import css from './option-table.module.css';

export interface ClientRowsProps {
  block: ClientBlock;
  columns: readonly OptionColumn[];
  /** The grid row where this client's rows begin. */
  offset: number;
  /** The chosen or pinned option, if any. */
  picked: string | undefined;
  mode: Mode;
  /** The keys of this client's clashing cells, joined by line breaks: a string, so that it compares by value. */
  clashing: string;
  conflicts: ReadonlyMap<string, string>;
  /** `row:column` of the cell that Tab reaches, if it is one of these; otherwise null. */
  active: string | null;
  /** The same for the cell with its *Why?* open. */
  why: string | null;
}

const NOTHING: DashView = { dash: 'nothing', over: null };
const overOf = (cell: CellView | DashView | undefined) => (cell === undefined || isCell(cell) ? null : cell.over);

/** A client's rows, drawn again only when something about this client changes, so that 40 clients stay fast. */
export const ClientRows = memo(function ClientRows(props: ClientRowsProps) {
  const { block, columns, offset } = props;
  const clashing = new Set(props.clashing.split('\t'));
  return (
    <tbody>
      {block.rows.map((row, i) => (
        <tr key={row.slot} data-part={row.part || undefined} data-cut={row.cut || undefined}>
          <th scope="row">
            <span className={i === 0 ? css.client : 'sr'}>{block.client}</span>
            <span className={css.slot}>{row.slot}</span>
          </th>
          {columns.map((column, c) => {
            if (!column.real) {
              return (
                <td key={column.name} className={css.fill} aria-label="No such option">
                  -
                </td>
              );
            }
            const at = `${offset + i}:${c}`;
            const key = cellKey(block.client, row.slot, column.name);
            return (
              <OptionCell
                key={column.name}
                cell={row.cells[c] ?? NOTHING}
                goesOn={overOf(block.rows[i + 1]?.cells[c]) !== null}
                client={block.client}
                option={column.name}
                at={at}
                picked={props.picked === column.name}
                first={i === 0}
                last={i === block.rows.length - 1}
                mode={props.mode}
                clash={clashing.has(key)}
                conflict={props.conflicts.get(key)}
                active={props.active === at}
                whyOpen={props.why === at}
              />
            );
          })}
        </tr>
      ))}
    </tbody>
  );
});
