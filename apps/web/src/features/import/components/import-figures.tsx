import type { ImportFileSummary, ImportNote, ImportSummary } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { labelOf, notesInWords, number } from '../model.ts';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import css from './imports.module.css';

const COLUMNS = [
  ['rows', 'Rows'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
  ['merged', 'Merged'],
  ['kept', 'Your changes kept'],
  ['refused', 'Refused'],
] as const;

/** How many of each file's rows had each result. The columns after *Rows* add up to the number in *Rows*. */
export function ImportFigures({ summary, onNote }: { summary: ImportSummary; onNote: (note: ImportNote) => void }) {
  const notes = notesInWords(summary);
  return (
    <>
      <ScrollRegion label="Rows by file" className={css.scroll}>
        <DataTable
          caption={summary.dry_run ? 'Results of the check' : 'Results of the import'}
          className={css.figures}
          rows={summary.files}
          keyOf={({ kind }) => kind}
          columns={[
            {
              head: 'File',
              names: true,
              cell: ({ kind, file }) => (
                <>
                  {labelOf(kind)} <span className="small muted">{file}</span>
                </>
              ),
            },
            ...COLUMNS.map(([key, head]) => ({
              head,
              td: (file: ImportFileSummary) => ({ 'data-zero': file[key] === 0 || undefined, 'data-column': key }),
              cell: (file: ImportFileSummary) => number(file[key]),
            })),
          ]}
        />
      </ScrollRegion>
      {notes.length > 0 ? (
        <div className={css.notes}>
          <span className="small muted">Imported, please review:</span>
          {notes.map(({ note, words }) => (
            <Button key={note} size="sm" onClick={() => onNote(note)}>
              {words}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
}
