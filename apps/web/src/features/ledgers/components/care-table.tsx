import type { CareRow } from '@clinic/contract';
import { duration } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { CARE_FIGURES, CARE_WORDS, lostShare, type CareFigure } from '../care.ts';
import css from './ledger.module.css';

/** A client a row; each figure opens the sessions behind it. */
export function CareTable({
  rows,
  onOpen,
}: {
  rows: readonly CareRow[];
  onOpen: (row: CareRow, figure: CareFigure) => void;
}) {
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label="Care">
      <table className={css.table}>
        <caption className="sr">Care of each client</caption>
        <thead>
          <tr>
            <th scope="col">Client</th>
            {CARE_FIGURES.map((figure) => (
              <th key={figure} scope="col">
                {CARE_WORDS[figure]}
              </th>
            ))}
            <th scope="col">Share lost</th>
            <th scope="col">Priority</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              {CARE_FIGURES.map((figure) => (
                <td key={figure}>
                  {row[figure] === 0 ? (
                    <span className="muted">0</span>
                  ) : (
                    <Button variant="link" onClick={() => onOpen(row, figure)}>
                      {duration(row[figure])}
                      <span className="sr">
                        , {CARE_WORDS[figure].toLowerCase()}, {row.name}: show the sessions
                      </span>
                    </Button>
                  )}
                </td>
              ))}
              <td>{lostShare(row)} %</td>
              <td className={row.priority > 100 ? css.short : undefined}>
                {row.priority} %{row.by_hand ? ', set by hand' : ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
