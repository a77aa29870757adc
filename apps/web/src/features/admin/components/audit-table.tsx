import { Fragment } from 'react';
import type { AuditRow } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { actionWords, detailWords, subjectWords, wallWords, zoneWords } from '../model.ts';
import css from './admin.module.css';

export const AuditTable = ({ rows }: { rows: readonly AuditRow[] }) => (
  <DataTable
    caption="Audit trail, newest first"
    rows={rows}
    keyOf={(_, i) => i}
    columns={[
      { head: `When (${zoneWords()})`, td: () => ({ className: css.nowrap }), cell: ({ at }) => wallWords(at) },
      { head: 'Who', cell: ({ account }) => account ?? 'The system' },
      { head: 'What', td: () => ({ className: css.action }), cell: ({ action }) => actionWords(action) },
      {
        head: 'Record',
        td: ({ subject_ids: ids }) => ({ className: css.ids, title: ids.join(', ') }),
        cell: ({ subject_kind: kind, subject_ids: ids }) => <Unbroken words={subjectWords(kind, ids)} />,
      },
      {
        head: 'Where',
        td: () => ({ className: css.nowrap }),
        cell: ({ location }) => (isLocation(location) ? locationLabel(location) : location),
      },
      {
        head: 'Details',
        td: () => ({ className: css.wide }),
        cell: ({ detail }) => <Unbroken words={detailWords(detail)} />,
      },
    ]}
  />
);

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
