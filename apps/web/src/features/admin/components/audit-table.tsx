import { Fragment } from 'react';
import type { AuditRow } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import table from '../../../shared/ui/table.module.css';
import { actionWords, detailWords, subjectWords, wallWords, zoneWords } from '../model.ts';
import css from './admin.module.css';

export function AuditTable({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <table className={table.table}>
      <caption className="sr">Audit trail, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When ({zoneWords()})</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">Record</th>
          <th scope="col">Where</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            <td className={css.nowrap}>{wallWords(row.at)}</td>
            <td>{row.account ?? 'The system'}</td>
            <td className={css.action}>{actionWords(row.action)}</td>
            <td className={css.ids} title={row.subject_ids.join(', ')}>
              <Record words={subjectWords(row.subject_kind, row.subject_ids)} />
            </td>
            <td className={css.nowrap}>{isLocation(row.location) ? locationLabel(row.location) : row.location}</td>
            <td className={css.wide}>{detailWords(row.detail)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What was changed or viewed. An id such as C-0087 stays on one line. */
function Record({ words }: { words: string }) {
  return words.split(' ').map((word, i) => (
    <Fragment key={i}>
      {i > 0 ? ' ' : ''}
      {/^[A-Z]-\d+,?$/.test(word) ? <span className={css.nowrap}>{word}</span> : word}
    </Fragment>
  ));
}
