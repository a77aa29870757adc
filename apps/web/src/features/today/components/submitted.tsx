import { useState } from 'react';
import type { CommitSummary, Conflict } from '@clinic/contract';
import { clockTime, parseDate, shortDate } from '@clinic/domain';
import { ApiError, detailText } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { conflictsIn } from '../../../shared/api/conflicts.ts';
import { wallTime } from '../../../shared/clinic-clock.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { AlertDialog } from '../../../shared/ui/dialog.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { SideList } from '../../../shared/ui/two-columns.tsx';
import { saveWorkbook, undoCommit } from '../api/use-today.ts';
import { commitWords, keptWords, madeWords } from '../model.ts';
import css from './side.module.css';

interface SubmittedProps {
  commits: readonly CommitSummary[];
  /** The date that the page shows. A commit may have been made on another date, and may change other dates. */
  date: string;
  me: string | undefined;
}

export function Submitted({ commits, date, me }: SubmittedProps) {
  const [undoing, setUndoing] = useState<CommitSummary | null>(null);
  if (commits.length === 0) return <p className="muted">Nothing was submitted.</p>;
  return (
    <>
      <SideList>
        {commits.map((commit) => (
          <li key={commit.id} data-undone={commit.undone_at !== null || undefined}>
            <span className={css.made}>
              <b>{madeWords(madeAt(commit), date)}</b> <span className={css.what}>{commitWords(commit, date)}</span>
              <br />
              <span className="small muted">
                {[commit.option, keptWords(commit), `by ${commit.committed_by === me ? 'you' : commit.committed_by}`]
                  .filter((part) => part !== null)
                  .join(', ')}
                {commit.undone_at === null ? '' : `; undone by ${commit.undone_by === me ? 'you' : commit.undone_by}`}
              </span>
              {commit.undone_at === null && commit.cannot_undo != null ? (
                <>
                  <br />
                  <span className="small muted" id={`cannot-undo-${commit.id}`}>
                    Cannot be undone: {commit.cannot_undo}
                  </span>
                </>
              ) : null}
            </span>
            <span className={css.acts}>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Workbook from ${timeOf(commit)}`}
                title="Download the workbook again"
                icon
                onClick={() => void again(commit)}
              >
                <Icon name="download" />
              </Button>
              {commit.undone_at === null ? (
                <Button
                  data-writes
                  size="sm"
                  unavailable={commit.cannot_undo != null}
                  aria-describedby={commit.cannot_undo == null ? undefined : `cannot-undo-${commit.id}`}
                  onClick={() => setUndoing(commit)}
                >
                  <Icon name="undo" />
                  Undo<span className="sr"> the {timeOf(commit)} changes</span>
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </SideList>
      {undoing ? <UndoAlert commit={undoing} onClose={() => setUndoing(null)} /> : null}
    </>
  );
}

const madeAt = (commit: CommitSummary) => wallTime(commit.location, Date.parse(commit.committed_at));
const timeOf = (commit: CommitSummary): string => clockTime(madeAt(commit).minutes);

async function again(commit: CommitSummary): Promise<void> {
  try {
    await saveWorkbook(commit.id);
  } catch {
    toast({ text: 'The workbook could not be downloaded. Try again.', tone: 'warn' });
  }
}

/** Asks for confirmation and undoes the commit, or says why later changes prevent that. */
function UndoAlert({ commit, onClose }: { commit: CommitSummary; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ text: string; conflicts: readonly Conflict[] } | null>(null);
  const run = async (close: () => void): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await undoCommit(commit.id);
      toast({ text: `The ${timeOf(commit)} changes are undone` });
      close();
    } catch (error) {
      const text =
        error instanceof ApiError
          ? (detailText(error.detail) ?? 'The changes could not be undone.')
          : failureWords(error, 'the list', 'undone');
      setRefused({ text, conflicts: error instanceof ApiError ? (conflictsIn(error.detail) ?? []) : [] });
    } finally {
      setBusy(false);
    }
  };
  if (refused) {
    return (
      <AlertDialog key="refused" title={refused.text} width="34rem" onClose={onClose}>
        <ul className={css.conflicts}>
          {refused.conflicts.map((c, i) => {
            const date = parseDate(c.date);
            return (
              <li key={i}>
                {date ? shortDate(date) : c.date}, {c.time}, {c.therapist}
                {c.why ? <span className="muted">: {c.why}</span> : null}
              </li>
            );
          })}
        </ul>
      </AlertDialog>
    );
  }
  return (
    <AlertDialog
      key="ask"
      title={`Undo the ${timeOf(commit)} changes?`}
      width="32rem"
      onClose={onClose}
      keep="Keep the changes"
      acts={[
        {
          text: (
            <>
              <Icon name="undo" />
              Undo
            </>
          ),
          unavailable: busy,
          run: (close) => void run(close),
        },
      ]}
    >
      <p className="muted">
        {commit.clients.length === 1
          ? 'One client’s day goes back to how it was before the changes.'
          : `The days of ${commit.clients.length} clients go back to how they were before the changes.`}{' '}
        Absences stay. People who were told about these changes, or were left a message, are on the call list again.
      </p>
    </AlertDialog>
  );
}
