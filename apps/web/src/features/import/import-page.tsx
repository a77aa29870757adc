import { useState } from 'react';
import { LARGEST_IMPORT_MB } from '@clinic/contract';
import { Link } from '../../shared/router/link.tsx';
import { saidWords } from '../../shared/api/failure-words.ts';
import { Button, buttonClass } from '../../shared/ui/button.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { Progress } from '../../shared/ui/progress.tsx';
import { RequireAdmin } from '../../shared/ui/require-admin.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { FileChoice } from './components/file-choice.tsx';
import { ImportColumns } from './components/import-columns.tsx';
import { ImportFigures } from './components/import-figures.tsx';
import { ImportQuestions } from './components/import-questions.tsx';
import { ImportRows } from './components/import-rows.tsx';
import { WordsQuestions } from './components/words-questions.tsx';
import css from './components/imports.module.css';
import {
  KINDS,
  countsOf,
  isUnchecked,
  openOn,
  questionsInWords,
  rowsInWords,
  toRemember,
  toWrite,
  type NoteFilter,
} from './model.ts';
import { importFailure, useImport, type Working } from './use-import.ts';

type ImportState = ReturnType<typeof useImport>;

/**
 * The page where administrators choose exports of therapists, clients, appointments, authorizations and credentials,
 * check them row by row, and import them.
 */
export const ImportPage = () => (
  <RequireAdmin title="Import" everywhere>
    <Import />
  </RequireAdmin>
);

function Import() {
  const state = useImport();
  return (
    <Page
      title="Import"
      toolbar={
        <>
          <h1>Import</h1>
          <span className="small muted">{`CSV, XLSX, XLS or ODS, columns in any order, up to ${LARGEST_IMPORT_MB} MB per file`}</span>
          <span className="grow" />
          <Actions {...state} />
        </>
      }
    >
      <Sheet fills="scrolling">
        {state.failure ? <FailureNotice {...state.failure} /> : null}
        <Steps {...state} />
      </Sheet>
    </Page>
  );
}

/** The buttons for the next step: check, import, or start over. */
function Actions({ files, working, summary, answers, check, importNow, again }: ImportState) {
  if (summary === null) {
    const chosen = Object.keys(files).length > 0;
    return (
      <Button variant="primary" size="lg" unavailable={!chosen || working !== null} onClick={() => void check()}>
        {working ? 'Checking...' : 'Check the files'}
      </Button>
    );
  }
  if (!summary.dry_run)
    return (
      <>
        <Button size="lg" onClick={again}>
          Import more
        </Button>
        <Link to="/calendar" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Open the calendar
        </Link>
        <Link to="/series" className={buttonClass({ size: 'lg' })}>
          Make weekly series
        </Link>
      </>
    );
  const writes = toWrite(summary);
  const remembers = toRemember(summary);
  const nothing = remembers === 0 ? 'Nothing to import' : 'Remember the answers';
  const words = writes === 0 ? nothing : `Import ${rowsInWords(writes)}`;
  const open = openOn(summary, answers);
  if (open > 0)
    return (
      <Button variant="primary" size="lg" unavailable={working !== null} onClick={toFirstOpen}>
        {open === 1 ? 'Import waits for 1 answer' : `Import waits for ${open} answers`}
      </Button>
    );
  if (isUnchecked(summary, answers))
    return (
      <Button variant="primary" size="lg" unavailable={working !== null} onClick={() => void check()}>
        {working ? 'Checking...' : 'Check the answers'}
      </Button>
    );
  return (
    <>
      <Button size="lg" unavailable={working !== null} onClick={() => void check()}>
        Check again
      </Button>
      <Button
        variant="primary"
        size="lg"
        unavailable={working !== null || writes + remembers === 0}
        onClick={() => void importNow()}
      >
        {working?.what === 'import' ? 'Importing...' : words}
      </Button>
    </>
  );
}

/** Leads to the first question that the import waits for. */
function toFirstOpen(): void {
  const first = document.querySelector<HTMLElement>('select[data-open]');
  first?.scrollIntoView({ block: 'center' });
  first?.focus({ preventScroll: true });
}

function FailureNotice({ what, error }: NonNullable<ImportState['failure']>) {
  return what === 'check' ? (
    <Notice tone="error" title={`The files could not be checked. ${saidWords(error)}`}>
      Nothing was saved. The files are still chosen.
    </Notice>
  ) : (
    <Notice tone="error" title={importFailure(error)}>
      Check the files again: rows already saved are shown as unchanged. Then import again to finish the rest.
    </Notice>
  );
}

function Steps({ files, working, summary, answers, answer, check, choose, remove }: ImportState) {
  const [note, setNote] = useState<NoteFilter>(null);
  const asking = { answers, busy: working !== null, onAnswer: answer, onCheck: () => void check() };
  return (
    <div className={css.page}>
      <div className={css.choices}>
        {KINDS.map(({ kind, label, columns }) => (
          <FileChoice
            key={kind}
            label={label}
            columns={columns}
            file={files[kind]}
            unavailable={working !== null}
            closed={summary !== null && !summary.dry_run}
            onChoose={(file) => choose(kind, file)}
            onRemove={() => remove(kind)}
          />
        ))}
      </div>
      <div role="status">
        {working ? (
          <Sending {...working} />
        ) : summary ? (
          <Outcome
            dry={summary.dry_run}
            writes={toWrite(summary)}
            refused={countsOf(summary).refused}
            open={summary.dry_run ? openOn(summary, answers) : 0}
          />
        ) : (
          <p className="muted">
            You can import one file or all of them. Check first: nothing is saved until you import.
          </p>
        )}
      </div>
      {summary ? (
        <>
          <ImportFigures summary={summary} onNote={setNote} />
          {summary.dry_run ? (
            <>
              <WordsQuestions of="dates" summary={summary} {...asking} />
              <ImportColumns columns={summary.columns} {...asking} />
              <WordsQuestions of="locations" summary={summary} {...asking} />
              <WordsQuestions of="statuses" summary={summary} {...asking} />
              <WordsQuestions of="causes" summary={summary} {...asking} />
              <ImportQuestions questions={summary.questions} {...asking} />
            </>
          ) : null}
          <ImportRows key={String(summary.dry_run)} summary={summary} note={note} onAll={() => setNote(null)} />
        </>
      ) : null}
    </div>
  );
}

/**
 * Shows how much of the files has been sent. After that, the bar shows only that the server is working, since its
 * progress is unknown.
 */
function Sending({ what, sent }: Working) {
  const words =
    sent < 1
      ? 'Sending the files'
      : what === 'check'
        ? 'Reading every row and comparing it with the calendar'
        : 'Saving day by day; everyone can keep working in the meantime';
  return (
    <Progress words={words} after={sent < 1 ? ` ${Math.round(sent * 100)}%` : ' ...'} part={sent < 1 ? sent : null} />
  );
}

function Outcome({ dry, writes, refused, open }: { dry: boolean; writes: number; refused: number; open: number }) {
  const left =
    refused === 0 ? '' : ` ${refused === 1 ? '1 row is' : `${refused.toLocaleString('en-US')} rows are`} left out.`;
  if (!dry)
    return (
      <p className={css.done}>
        <b>{`The import is done: ${rowsInWords(writes)} saved.`}</b>
        {left} Importing the same files again changes nothing.
      </p>
    );
  return (
    <p>
      <b>{writes === 0 ? 'Nothing new in these files.' : `${rowsInWords(writes)} would be saved.`}</b>
      {left}
      {open > 0 ? <b>{` ${questionsInWords(open)} first:`}</b> : null}
      {open > 0 ? ' answers change what rows mean.' : ''} Nothing is saved yet.
    </p>
  );
}
