import { memo } from 'react';
import { duration } from '@clinic/domain';
import { Button } from '../../../../shared/ui/button.tsx';
import type { Mode } from '../model.ts';
import type { DateTable, OptionColumn } from '../table.ts';
import css from './option-heads.module.css';

const figure = (n: number): string => n.toLocaleString('en-US');
/** Never breaks a line between a number and its unit. */
const unparted = (words: string): string =>
  words.replace(/(\d) (?=h\b|min\b)/g, '$1\u00A0').replace(/(h) (?=\d)/g, '$1\u00A0');
const count = (n: number, one: string): string => `${figure(n)} ${one}${n === 1 ? '' : 's'}`;

/** The table's head: what the day needs, then each option with its strategy, its figures and how it compares. */
export const OptionHeads = memo(function OptionHeads({
  table,
  mode,
  onAll,
}: {
  table: DateTable;
  mode: Mode;
  onAll: (option: string) => void;
}) {
  const figures = table.columns[0]?.figures;
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className={css.name}>
            {count(table.blocks.length, 'client')}
            {figures?.sessions ? `, ${count(figures.sessions, 'session')}` : null}
          </span>
          {!figures ? null : (
            <>
              <span className={css.label}>{unparted(duration(figures.minutes_needed))}</span>
              <p className="cap">of care in these sessions</p>
            </>
          )}
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
            <Figures column={column} />
          </th>
        ))}
      </tr>
    </thead>
  );
});

const headName = (column: OptionColumn): string =>
  column.figures ? `${column.name}, ${column.figures.label}` : column.name;

function Figures({ column }: { column: OptionColumn }) {
  const f = column.figures;
  if (!f) return column.real ? null : <p className="cap">No further option</p>;
  const rows = [
    ['kept', unparted(duration(f.minutes_kept)), column.best.kept],
    ['changes', figure(f.changes), column.best.changes],
    ['new faces', figure(f.new_faces), column.best.faces],
  ] as const;
  return (
    <>
      <span className={css.label}>{f.label}</span>
      <dl className={css.figures}>
        {rows.map(([name, value, best]) => (
          <div key={name} data-best={best || undefined}>
            <dt>{name}</dt>
            <dd>
              {value}
              {best ? <span className="sr"> best of the options</span> : null}
            </dd>
          </div>
        ))}
      </dl>
      {f.compared || !f.proven ? (
        <p className={css.compared}>
          {unparted([f.compared, f.proven ? '' : 'best found so far'].filter(Boolean).join('; '))}
        </p>
      ) : null}
    </>
  );
}
