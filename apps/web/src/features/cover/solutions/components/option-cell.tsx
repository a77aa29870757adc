import { memo } from 'react';
import { Icon, type IconName } from '../../../../shared/ui/icon.tsx';
import type { Mode } from '../model.ts';
import { isCell, type CellView, type DashView } from '../table.ts';
import css from './option-cell.module.css';
import whyCss from './why-button.module.css';

export interface CellProps {
  cell: CellView | DashView;
  /** This cell continues in the row below: both form one block. */
  goesOn: boolean;
  client: string;
  option: string;
  /** The cell's place in the grid, `row:column`, which the arrow keys look for. */
  at: string;
  picked: boolean;
  /** First and last row of the client, where the chosen option's block gets its edge. */
  first: boolean;
  last: boolean;
  mode: Mode;
  clash: boolean;
  /** What no longer fits, as the server reported. */
  conflict: string | undefined;
  /** The one cell that Tab reaches. */
  active: boolean;
  whyOpen: boolean;
}

const ICONS: Record<CellView['kind'], IconName> = {
  scheduled: 'check',
  cover: 'to',
  swap: 'swap',
  cancel: 'slash',
  unassigned: 'nobody',
};

const DASH_WORDS: Record<DashView['dash'], string> = {
  whole: 'This option keeps the session whole: see its row',
  parts: 'This option splits the session: see its parts',
  nothing: 'Nothing in this option',
};

/** One option of one client in one slot. Clicks are caught by the table, which reads `data-do`. */
export const OptionCell = memo(function OptionCell(props: CellProps) {
  const { client, option, picked, active, clash, conflict } = props;
  const [cell, dash] = isCell(props.cell) ? [props.cell, null] : [null, props.cell];
  const tab = active ? 0 : -1;
  const marked = clash || conflict !== undefined;
  return (
    <td
      className={css.option}
      data-kind={cell?.kind ?? dash?.over}
      data-over={(dash?.over ?? null) !== null || undefined}
      data-goes-on={props.goesOn || undefined}
      data-picked={picked || undefined}
      data-first={props.first || undefined}
      data-last={props.last || undefined}
      data-clash={marked || undefined}
    >
      <button
        type="button"
        className={css.cell}
        data-do="pick"
        data-at={props.at}
        aria-pressed={picked}
        tabIndex={tab}
        data-dash={dash?.dash}
        aria-label={dash ? DASH_WORDS[dash.dash] : undefined}
      >
        {cell ? (
          <>
            <span className={css.person}>{cell.therapist}</span>
            <span className={css.status}>
              <Icon name={marked ? 'warn' : ICONS[cell.kind]} />
              {clash ? <b>In two places</b> : conflict !== undefined ? <b>{conflict}</b> : cell.words}
            </span>
            {marked ? <span className="sr">, {cell.words}</span> : null}
          </>
        ) : (
          '-'
        )}
      </button>
      {picked && props.first ? (
        <span className={css.tick}>
          <Icon name={props.mode === 'submit' ? 'check' : 'pin'} />
        </span>
      ) : null}
      {cell ? (
        <button
          type="button"
          className={whyCss.why}
          data-do="why"
          data-at={props.at}
          tabIndex={tab}
          aria-haspopup="dialog"
          aria-expanded={props.whyOpen}
          aria-label={`Why? ${cell.therapist}, ${client}, ${option}`}
        >
          Why?
        </button>
      ) : null}
    </td>
  );
});
