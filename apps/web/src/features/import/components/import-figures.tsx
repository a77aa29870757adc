import type { ImportNote, ImportSummary } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { KINDS, notesInWords, number } from '../model.ts';
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
        <table className={css.figures}>
          <caption className="sr">{summary.dry_run ? 'Results of the check' : 'Results of the import'}</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              {COLUMNS.map(([key, label]) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {summary.files.map((file) => (
              <tr key={file.kind}>
                <th scope="row">
                  {KINDS.find(({ kind }) => kind === file.kind)?.label} <span className="small muted">{file.file}</span>
                </th>
                {COLUMNS.map(([key]) => (
                  <td key={key} data-zero={file[key] === 0 || undefined} data-column={key}>
                    {number(file[key])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
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
