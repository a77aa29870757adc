import { useState } from 'react';
import { importReportCsv, type ImportRow, type ImportSummary } from '@clinic/contract';
import { keysOf } from '@clinic/domain';
import { saveFile } from '../../../shared/save-file.ts';
import { Button, Count } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import {
  FILTER_WORDS,
  KINDS,
  countsOf,
  firstFilter,
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
        <div className={css.scroll} tabIndex={0} role="region" aria-label={`Rows: ${FILTER_WORDS[filter]}`}>
          <RowTable title={FILTER_WORDS[filter]} rows={shown} />
        </div>
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

function RowTable({ title, rows }: { title: string; rows: readonly ImportRow[] }) {
  return (
    <table className={css.table}>
      <caption className="sr">{title}</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Line</th>
          <th scope="col">Result</th>
          <th scope="col">Why</th>
          <th scope="col">The row in the file</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.kind} ${row.line}`}>
            <td>{KINDS.find(({ kind }) => kind === row.kind)?.label}</td>
            <td className={css.line}>{number(row.line)}</td>
            <td>
              {row.outcome === 'refused' ? (
                <Chip tone="need" icon="slash">
                  Refused
                </Chip>
              ) : (
                <Chip>{OUTCOMES[row.outcome]}</Chip>
              )}
            </td>
            <td className={css.why}>
              {row.reason ? <b>{row.reason}</b> : null}
              {row.explanation ? <span>{row.explanation}</span> : null}
            </td>
            <td className={css.original}>{row.original}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
