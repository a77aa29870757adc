import { memo } from 'react';
import { Icon, type IconName } from '../../../../shared/ui/icon.tsx';
import type { Mode } from '../model.ts';
import { briefRange } from '../slots.ts';
import type { CellView } from '../table.ts';
import css from './option-cell.module.css';
import whyCss from './why-button.module.css';

export interface CellProps {
  /** The session's pieces in this option. If there are none, the cell shows a dash. */
  pieces: readonly CellView[];
  client: string;
  option: string;
  /** The cell's place in the grid, `row:column`, which the arrow keys use to find it. */
  at: string;
  picked: boolean;
  /** Whether this is the client's first or last row, where the edge of the chosen option is drawn. */
  first: boolean;
  last: boolean;
  mode: Mode;
  /** What is wrong with a piece, by the piece's slot: a clash, or that the calendar has changed since. */
  wrong: ReadonlyMap<string, string>;
  /** Whether Tab reaches this cell; Tab reaches only one cell of the grid. */
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

/** A client's session in one option. The table handles the clicks; `data-do` says what a click does. */
export const OptionCell = memo(function OptionCell(props: CellProps) {
  const { pieces, client, option, picked, active, wrong } = props;
  const [only] = pieces.length === 1 ? pieces : [];
  const [first] = pieces;
  const tab = active ? 0 : -1;
  return (
    <td
      className={css.option}
      data-kind={only?.kind}
      data-open={pieces.some((piece) => piece.kind === 'unassigned') || undefined}
      data-again={pieces.some((piece) => piece.was !== null) || undefined}
      data-picked={picked || undefined}
      data-first={props.first || undefined}
      data-last={props.last || undefined}
      data-clash={wrong.size > 0 || undefined}
    >
      <div className={css.lines}>
        <button
          type="button"
          className={css.cell}
          data-do="pick"
          data-at={props.at}
          aria-pressed={picked}
          tabIndex={tab}
          data-dash={!first || undefined}
          aria-label={first ? undefined : 'Nothing in this option'}
        >
          {first
            ? pieces.map((piece, i) => (
                <Piece
                  key={piece.slot}
                  piece={piece}
                  place={only ? 'only' : i === 0 ? 'first' : i === pieces.length - 1 ? 'last' : 'between'}
                  wrong={wrong.get(piece.slot)}
                />
              ))
            : '-'}
        </button>
        <span className={css.side}>
          {picked && props.first ? (
            <span className={css.tick}>
              <Icon name={props.mode === 'submit' ? 'check' : 'pin'} />
            </span>
          ) : null}
          {first ? (
            <button
              type="button"
              className={whyCss.why}
              data-do="why"
              data-at={props.at}
              tabIndex={tab}
              aria-haspopup="dialog"
              aria-expanded={props.whyOpen}
              aria-label={`Why? ${pieces.map((piece) => piece.therapist).join(', ')}, ${client}, ${first.slot}, ${option}`}
            >
              Why?
            </button>
          ) : null}
        </span>
      </div>
    </td>
  );
});

/**
 * A piece's therapist and kind, with the piece's time if the session has several pieces. The cover sign is shown only
 * on the first piece, so that two pieces fit on a line.
 */
function Piece({
  piece,
  place,
  wrong,
}: {
  piece: CellView;
  place: 'only' | 'first' | 'between' | 'last';
  wrong: string | undefined;
}) {
  const only = place === 'only';
  const sign = only || place === 'first' || piece.kind !== 'cover';
  return (
    <span className={css.part}>
      <span className={css.piece} data-kind={piece.kind} data-only={only || undefined} data-wrong={wrong && true}>
        {only ? null : <span className={css.time}>{briefRange(piece.start, piece.end)} </span>}
        {wrong !== undefined ? <Icon name="warn" /> : sign ? <Icon name={ICONS[piece.kind]} /> : null}
        <span className={css.person}>{piece.therapist}</span>
        <span className={only && wrong === undefined ? css.status : 'sr'}> {piece.words}</span>
        {piece.was === null ? null : (
          <span className={css.again} title={`Changed again: was ${piece.was}`}>
            <Icon name="undo" />
            <span className="sr">, changed again: was {piece.was}</span>
          </span>
        )}
        {wrong === undefined ? null : <b className={css.status}> {wrong}</b>}
      </span>
      {only || place === 'last' ? null : <span className={css.dot}> · </span>}
    </span>
  );
}
