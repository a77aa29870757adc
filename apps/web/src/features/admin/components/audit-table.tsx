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
              <Unbroken words={subjectWords(row.subject_kind, row.subject_ids)} />
            </td>
            <td className={css.nowrap}>{isLocation(row.location) ? locationLabel(row.location) : row.location}</td>
            <td className={css.wide}>
              <Unbroken words={detailWords(row.detail)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The longest word that is kept on one line, such as an id, a date or `altamonte/2026-11-18`. */
const LONGEST_UNBROKEN = 24;

/** Words in which an id, a date or a time that contains a hyphen or a slash stays on one line. */
function Unbroken({ words }: { words: string }) {
  return words.split(' ').map((word, i) => (
    <Fragment key={i}>
      {i > 0 ? ' ' : ''}
      {/[-/_\d]/.test(word) && word.length <= LONGEST_UNBROKEN ? <span className={css.nowrap}>{word}</span> : word}
    </Fragment>
  ));
}
