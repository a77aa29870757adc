import { memo } from 'react';
import { namedPath } from '../../../../shared/person-path.ts';
import { hrefOf } from '../../../../shared/router/history.ts';
import { Icon } from '../../../../shared/ui/icon.tsx';
import type { Mode } from '../model.ts';
import { cellKey } from '../mix.ts';
import type { CellPlace, CellView, ClientBlock, OptionColumn } from '../table.ts';
import { OptionCell } from './option-cell.tsx';
import css from './option-table.module.css';

export interface ClientRowsProps {
  block: ClientBlock;
  columns: readonly OptionColumn[];
  /** The index of this client's first row in the grid. */
  offset: number;
  /** The client's chosen or pinned option, if any. */
  picked: string | undefined;
  /** Whether the last refresh kept this client's choice. */
  kept: boolean;
  mode: Mode;
  /**
   * The keys of this client's pieces that cause a conflict, each followed by what is wrong. One string, so that React
   * can compare it.
   */
  faulty: string;
  conflicts: ReadonlyMap<string, string>;
  /** The cell that Tab reaches, as `row:column`, if it is in these rows; otherwise null. */
  active: string | null;
  /** The cell whose *Why?* is open, if it is in these rows; otherwise null. */
  why: CellPlace | null;
}

const NOTHING: readonly CellView[] = [];
const NOTHING_WRONG: ReadonlyMap<string, string> = new Map();

/**
 * A client's sessions, one in each row. Rendered again only when something about this client changes, since there may
 * be 40 clients.
 */
export const ClientRows = memo(function ClientRows(props: ClientRowsProps) {
  const { block, columns, offset, conflicts } = props;
  const faulty = props.faulty.split('\t');
  const wrongIn = (pieces: readonly CellView[], option: string): ReadonlyMap<string, string> => {
    const wrong = pieces.flatMap((piece) => {
      const key = cellKey(block.client, piece.slot, option);
      const fault = faulty.indexOf(key);
      const words = fault >= 0 ? faulty[fault + 1] : conflicts.get(key);
      return words === undefined ? [] : [[piece.slot, words] as const];
    });
    return wrong.length === 0 ? NOTHING_WRONG : new Map(wrong);
  };
  return (
    <tbody>
      {block.rows.map((row, i) => (
        <tr key={row.id}>
          <th scope="row">
            <span className={css.session}>
              <span className={i === 0 ? css.client : 'sr'}>
                {i === 0 ? (
                  // In a tab of its own, so that the choices stay; the palette leads there by keys.
                  <a
                    href={hrefOf(namedPath('client'), { name: block.client })}
                    target="_blank"
                    rel="noreferrer"
                    tabIndex={-1}
                  >
                    {block.client}
                  </a>
                ) : (
                  block.client
                )}
                {props.kept && i === 0 ? (
                  <span className={css.kept} title="Kept as you chose in the last refresh">
                    <Icon name="pin" />
                    <span className="sr">, kept as you chose</span>
                  </span>
                ) : null}
              </span>
              <span className={css.slot}> {row.slot}</span>
              {row.whose === null ? null : <span className={css.whose}> {row.whose}</span>}
            </span>
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
            const pieces = row.cells[c] ?? NOTHING;
            return (
              <OptionCell
                key={column.name}
                session={row}
                pieces={pieces}
                client={block.client}
                option={column.name}
                at={at}
                picked={props.picked === column.name}
                first={i === 0}
                last={i === block.rows.length - 1}
                mode={props.mode}
                wrong={wrongIn(pieces, column.name)}
                active={props.active === at}
                whyOpen={props.why?.row === row.id && props.why.option === column.name}
              />
            );
          })}
        </tr>
      ))}
    </tbody>
  );
});
