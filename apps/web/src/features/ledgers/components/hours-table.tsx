import type { HoursRow } from '@clinic/contract';
import { duration } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { FIGURES, FIGURE_WORDS, overtimeOf, type Figure } from '../model.ts';
import css from './ledger.module.css';

/** A therapist a row; each figure opens the sessions behind it. */
export function HoursTable({
  rows,
  onOpen,
}: {
  rows: readonly HoursRow[];
  onOpen: (row: HoursRow, figure: Figure) => void;
}) {
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label="Hours">
      <table className={css.table}>
        <caption className="sr">Hours of each therapist</caption>
        <thead>
          <tr>
            <th scope="col">Therapist</th>
            {FIGURES.map((figure) => (
              <th key={figure} scope="col">
                {FIGURE_WORDS[figure]}
              </th>
            ))}
            <th scope="col">Most</th>
            <th scope="col">Guaranteed</th>
            <th scope="col">Left</th>
            <th scope="col">Overtime ahead</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.name} <span className="small muted">{row.credential}</span>
              </th>
              {FIGURES.map((figure) => (
                <td key={figure}>
                  {row[figure] === 0 ? (
                    <span className="muted">0</span>
                  ) : (
                    <Button variant="link" onClick={() => onOpen(row, figure)}>
                      {duration(row[figure])}
                      <span className="sr">
                        , {FIGURE_WORDS[figure].toLowerCase()}, {row.name}: show the sessions
                      </span>
                    </Button>
                  )}
                </td>
              ))}
              <td>{duration(row.most)}</td>
              <td className={row.guaranteed !== null && row.booked < row.guaranteed ? css.short : undefined}>
                {row.guaranteed === null
                  ? 'none'
                  : `${duration(row.guaranteed)}${row.booked < row.guaranteed ? ', not reached' : ''}`}
              </td>
              <td>{duration(row.left)}</td>
              <td className={overtimeOf(row) > 0 ? css.short : undefined}>
                {overtimeOf(row) > 0 ? duration(overtimeOf(row)) : 'none'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
