import { useState } from 'react';
import { importReportCsv, type ImportRow, type ImportSummary } from '@clinic/contract';
import { keysOf } from '@clinic/domain';
import { saveFile } from '../../../shared/save-file.ts';
import { Button, Count } from '../../../shared/ui/button.tsx';
import { DataTable, type Column } from '../../../shared/ui/data-table.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import {
  FILTER_WORDS,
  countsOf,
  firstFilter,
  labelOf,
  number,
  rowsFor,
  type NoteFilter,
  type RowFilter,
} from '../model.ts';
import css from './imports.module.css';

/** How many rows are rendered at once: more than fit on a screen, but few enough to render quickly. */
const AT_ONCE = 100;

const OUTCOMES: Record<ImportRow['outcome'], string> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  merged: 'Merged',
  kept: 'Your changes kept',
  refused: 'Refused',
};

/** The rows with the reasons for their results: refused rows first, other results after a click. */
export function ImportRows({ summary, note, onAll }: { summary: ImportSummary; note: NoteFilter; onAll: () => void }) {
  const [chosen, setFilter] = useState<RowFilter>(() => firstFilter(summary));
  const [most, setMost] = useState(AT_ONCE);
  const counts = countsOf(summary);
  // Another check may leave no row in the chosen list.
  const filter = note === null ? (counts[chosen] > 0 ? chosen : firstFilter(summary)) : 'look';
  const rows = rowsFor(summary.rows, filter, note);
  const shown = rows.slice(0, most);
  const download = (): void => {
    const text = importReportCsv(rows, summary.files, summary.tables);
    saveFile(
      new Blob([text], { type: 'text/csv' }),
      `import-${FILTER_WORDS[filter].toLowerCase().replaceAll(' ', '-')}.csv`,
    );
  };
  const filters = keysOf(FILTER_WORDS).filter((each) => counts[each] > 0 || each === filter);
  return (
    <section className={css.rows} aria-labelledby="import-rows">
      <div className={css.head}>
        <h2 id="import-rows">Row by row</h2>
        <Segmented
          label="Rows"
          value={filter}
          options={filters.map((value) => ({
            value,
            label: (
              <>
                {FILTER_WORDS[value]} <Count>{number(counts[value])}</Count>
              </>
            ),
          }))}
          onChange={(next) => {
            onAll();
            setFilter(next);
            setMost(AT_ONCE);
          }}
        />
        {note === null ? null : <Button onClick={onAll}>Show all rows again</Button>}
        {rows.length > 0 ? (
          <Button onClick={download}>
            <Icon name="download" />
            Download these rows
          </Button>
        ) : null}
      </div>
      {shown.length === 0 ? (
        <p className="muted">No rows.</p>
      ) : (
        <ScrollRegion label={`Rows: ${FILTER_WORDS[filter]}`} className={css.scroll}>
          <DataTable
            caption={FILTER_WORDS[filter]}
            className={css.table}
            columns={COLUMNS}
            rows={shown}
            keyOf={({ kind, line }) => `${kind} ${line}`}
          />
        </ScrollRegion>
      )}
      {shown.length < rows.length ? (
        <p>
          <Button onClick={() => setMost(most + 5 * AT_ONCE)}>Show more</Button>{' '}
          <span className="small muted">
            {number(shown.length)} of {number(note === null ? counts[filter] : rows.length)}
          </span>
        </p>
      ) : note === null && rows.length < counts[filter] ? (
        <p className="small muted">{`The first ${number(rows.length)} of ${number(counts[filter])} are shown.`}</p>
      ) : null}
    </section>
  );
}

const COLUMNS: readonly Column<ImportRow>[] = [
  { head: 'File', cell: ({ kind }) => labelOf(kind) },
  { head: 'Line', td: () => ({ className: css.line }), cell: ({ line }) => number(line) },
  {
    head: 'Result',
    cell: ({ outcome }) => (
      <Chip {...(outcome === 'refused' ? { tone: 'need', icon: 'slash' } : {})}>{OUTCOMES[outcome]}</Chip>
    ),
  },
  {
    head: 'Why',
    td: () => ({ className: css.why }),
    cell: ({ reason, explanation }) => (
      <>
        {reason ? <b>{reason}</b> : null}
        {explanation ? <span>{explanation}</span> : null}
      </>
    ),
  },
  { head: 'The row in the file', td: () => ({ className: css.original }), cell: ({ original }) => original },
];
