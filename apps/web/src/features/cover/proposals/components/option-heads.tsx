import { memo } from 'react';
import { duration } from '@clinic/domain';
import { Button } from '../../../../shared/ui/button.tsx';
import type { Mode, More } from '../model.ts';
import type { DateTable, OptionColumn } from '../table.ts';
import { headFigures } from '../head-figures.ts';
import css from './option-heads.module.css';

const figure = (n: number): string => n.toLocaleString('en-US');
/** Keeps a number and its unit on one line. */
const unparted = (words: string): string =>
  words.replace(/(\d) (?=h\b|min\b)/g, '$1\u00A0').replace(/(h) (?=\d)/g, '$1\u00A0');
const count = (n: number, one: string): string => `${figure(n)} ${one}${n === 1 ? '' : 's'}`;

/** The table's head: what the day needs, then each option's strategy and figures, and how they compare. */
export const OptionHeads = memo(function OptionHeads({
  table,
  mode,
  more,
  onAll,
  onLonger,
}: {
  table: DateTable;
  mode: Mode;
  more: More;
  onAll: (option: string) => void;
  onLonger: (() => void) | null;
}) {
  const empty = table.columns.find((column) => !column.real);
  const { sessions, minutes_needed: needed } = table.columns[0]?.figures ?? {};
  return (
    <thead>
      <tr>
        <th scope="col" aria-label="Client">
          <span className={css.name}>
            {count(table.clients, 'client')}
            {sessions ? `, ${count(sessions, 'session')}` : null}
          </span>
          {needed === undefined ? null : (
            <>
              <span className={css.label}>{unparted(duration(needed))}</span>
              <p className="cap">of care in these sessions</p>
            </>
          )}
          <p className="cap">Extra calls: plus the families of the sessions below.</p>
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
            {column === empty ? <NoOption more={more} onLonger={onLonger} /> : <Figures column={column} />}
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

function Figures({ column }: { column: OptionColumn }) {
  const f = column.figures;
  if (!f) return null;
  return (
    <>
      <span className={css.label}>{f.label}</span>
      {f.proven ? null : (
        <>
          {' '}
          <span className={css.unproven}>best found so far</span>
        </>
      )}
      {f.nearly_the_same_as ? <p className="cap">{`nearly the same as ${f.nearly_the_same_as}`}</p> : null}
      <dl className={css.figures}>
        {headFigures(f).map(({ name, value, leads }) => (
          <div key={name} data-best={leads || undefined}>
            <dt>{name}</dt>
            <dd>
              {unparted(value)}
              {leads ? <span className="sr">, what this option puts first</span> : null}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
