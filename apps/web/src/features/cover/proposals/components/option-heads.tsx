import { memo } from 'react';
import { duration } from '@clinic/domain';
import { Button } from '../../../../shared/ui/button.tsx';
import type { Mode, More } from '../model.ts';
import type { DateTable, OptionColumn } from '../table.ts';
import type { ToTell } from '../api/use-ways.ts';
import { EXTRA_CALLS, figureNames, headFigures, NEW_FACES, promiseWords } from '../head-figures.ts';
import cellCss from './option-cell.module.css';
import css from './option-heads.module.css';

/** The most letters of a label that fit on one line of a narrow column. */
const ONE_LINE = 16;

const OF_ALL = 'Extra calls, of all to tell: plus the families of the sessions below.';

const figure = (n: number): string => n.toLocaleString('en-US');
/** Keeps a number and its unit on one line. */
const unparted = (words: string): string =>
  words.replace(/(\d) (?=h\b|min\b)/g, '$1\u00A0').replace(/(h) (?=\d)/g, '$1\u00A0');
const count = (n: number, one: string): string => `${figure(n)} ${one}${n === 1 ? '' : 's'}`;

/** The table's head: what the day needs, then each option's strategy and figures, and how they compare. */
export const OptionHeads = memo(function OptionHeads({
  table,
  toTell,
  mode,
  more,
  onAll,
  onLonger,
}: {
  table: DateTable;
  toTell: ToTell;
  mode: Mode;
  more: More;
  onAll: (option: string) => void;
  onLonger: (() => void) | null;
}) {
  const empty = table.columns.find((column) => !column.real);
  const names = figureNames(table.columns.map((column) => column.figures));
  const { sessions, minutes_needed: needed } = table.columns[0]?.figures ?? {};
  return (
    <thead data-tall={table.columns.some(({ figures }) => (figures?.label.length ?? 0) > ONE_LINE) || undefined}>
      <tr>
        <th scope="col" aria-label="Client">
          <span className={css.name}>
            {count(table.clients, 'client')}
            {sessions ? `, ${count(sessions, 'session')}` : null}
          </span>
          <span className={css.label}>
            {needed === undefined ? null : (
              <>
                {unparted(duration(needed))} <span className={css.unit}>of care</span>
              </>
            )}
          </span>
          <ul className={css.figures} aria-hidden="true">
            {names.map((name) => (
              <li key={name}>
                {name === EXTRA_CALLS ? <span title={OF_ALL}>{name}, of all to tell</span> : name}
                {name === NEW_FACES ? <i className={cellCss.newFace} /> : null}
              </li>
            ))}
          </ul>
          <p className="sr">{OF_ALL}</p>
        </th>
        {table.columns.map((column) => (
          <th key={column.name} scope="col" aria-label={headName(column)}>
            <span className={css.name}>
              {column.name}
              {column.real ? (
                <Button variant="link" className="small" onClick={() => onAll(column.name)}>
                  {mode === 'submit' ? 'Use for all' : 'Keep for all'}
                  <span className="sr">: {column.name}</span>
                </Button>
              ) : null}
            </span>
            {column === empty ? (
              <NoOption more={more} onLonger={onLonger} />
            ) : (
              <Figures column={column} names={names} toTell={toTell[column.name]} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
});

const headName = (column: OptionColumn): string =>
  column.figures ? `${column.name}, ${column.figures.label}` : column.name;

/** What is known of further options, above the first column that has none. */
function NoOption({ more, onLonger }: { more: More; onLonger: (() => void) | null }) {
  return (
    <>
      <p className="cap" role="status">
        {noOption(more)}
      </p>
      {more === 'unfinished' && onLonger ? (
        <Button variant="link" className="small" onClick={onLonger}>
          Look longer
        </Button>
      ) : null}
    </>
  );
}

const noOption = (more: More): string => {
  if (more === 'finding') return 'Finding more options…';
  if (more === 'longer') return 'Looking longer…';
  if (more === 'ended') return 'Refresh to find more options';
  return more === 'unfinished' ? 'No more options found in time' : 'No more options';
};

/** An option's label and figures. The names of the figures stand once for all options, in the first column. */
function Figures({
  column,
  names,
  toTell,
}: {
  column: OptionColumn;
  names: readonly string[];
  toTell?: number | undefined;
}) {
  const f = column.figures;
  if (!f) return null;
  const promise = promiseWords(f);
  const own = headFigures(f, toTell);
  return (
    <>
      <span className={css.label}>{f.label}</span>
      <dl className={css.figures}>
        {names.map((name) => {
          const figure = own.find((each) => each.name === name);
          return (
            <div key={name} data-best={figure?.leads || undefined}>
              <dt className={css.term}>{name}</dt>
              <dd>
                <b>{figure ? unparted(figure.value) : '-'}</b>
                {figure?.note ? <span> {unparted(figure.note)}</span> : null}
                {figure?.part === undefined ? null : <i className={css.kept} style={{ '--part': figure.part }} />}
                {figure?.leads ? <span className="sr">, what this option puts first</span> : null}
              </dd>
            </div>
          );
        })}
      </dl>
      {promise !== null ? (
        <p className="cap">
          <span className="sr">{f.label} </span>
          {promise}
        </p>
      ) : f.nearly_the_same_as ? null : (
        // The line of a promise, kept free: the rows below must not move when the other options arrive.
        <p className="cap" aria-hidden="true">
          &nbsp;
        </p>
      )}
      {f.nearly_the_same_as ? (
        <p className="cap">
          {[`nearly the same as ${f.nearly_the_same_as}`, ...(f.nearly_the_same_in ? [f.nearly_the_same_in] : [])].join(
            ': ',
          )}
        </p>
      ) : null}
    </>
  );
}
