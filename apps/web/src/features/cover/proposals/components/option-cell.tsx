import { memo } from 'react';
import type { Interval } from '@clinic/domain';
import { Icon, type IconName } from '../../../../shared/ui/icon.tsx';
import type { Mode } from '../model.ts';
import { briefRange } from '../slots.ts';
import { namesLine } from '../names-line.ts';
import type { CellView } from '../table.ts';
import css from './option-cell.module.css';
import { Strip } from './strip.tsx';
import whyCss from './why-button.module.css';

export interface CellProps {
  /** The session's time, over which the strip is drawn; the same in every option. */
  session: Interval;
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
          {first ? (
            <>
              <span className="sr">{pieces.map(pieceWords).join(' · ')}</span>
              <Strip session={props.session} pieces={pieces} wrong={wrong} />
              <Names pieces={pieces} wrong={wrong} />
            </>
          ) : (
            '-'
          )}
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

/** A piece in words, with its time if the session has several pieces. */
const pieceWords = ({ start, end, therapist, words, was }: CellView, _: number, all: readonly CellView[]): string =>
  [
    ...(all.length > 1 ? [briefRange(start, end)] : []),
    [therapist, words].filter((text) => text !== '').join(' '),
    ...(was === null ? [] : [`changed again: was ${was}`]),
  ].join(' ');

/** The line under the strip: who has the session, whole names, and what is wrong. */
function Names({ pieces, wrong }: Pick<CellProps, 'pieces' | 'wrong'>) {
  const said = namesLine(pieces);
  return (
    <span className={css.names} data-many={pieces.length > 1 || undefined} aria-hidden="true">
      {said.map(({ piece, text, isName, isNew }, i) => {
        const fault = wrong.get(piece.slot);
        const isFirst = i === 0 || said[i - 1]?.piece.kind !== piece.kind;
        return (
          <span key={piece.slot} className={css.name} data-wrong={fault && true}>
            {fault !== undefined ? <Icon name="warn" /> : isFirst ? <Icon name={ICONS[piece.kind]} /> : null}
            <span className={isName ? css.person : undefined}>{text}</span>
            {isNew ? <i className={css.newFace} title="New face" /> : null}
            {piece.was === null ? null : (
              <span className={css.again} title={`Changed again: was ${piece.was}`}>
                <Icon name="undo" />
              </span>
            )}
            {fault === undefined ? null : <b>{fault}</b>}
            {i < said.length - 1 ? ',' : null}
          </span>
        );
      })}
    </span>
  );
}
