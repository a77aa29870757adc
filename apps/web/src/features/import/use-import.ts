import { useEffect, useRef, useState } from 'react';
import { importsEndpoints, type ImportSummary } from '@clinic/contract';
import { NoReplyError, SaidError } from '../../shared/api/client.ts';
import { saidWords } from '../../shared/api/failure-words.ts';
import { upload } from '../../shared/api/upload.ts';
import { toast } from '../../shared/ui/toast.tsx';
import { readKept, useCloseWarning, useUnsaved } from '../../shared/unsaved/use-unsaved.ts';
import { KINDS, number, toWrite, type Answers, type ChosenFile, type ChosenFiles, type ImportKind } from './model.ts';

export interface Working {
  what: 'check' | 'import';
  /** How much of the files has been sent, from 0 to 1. */
  sent: number;
}

/**
 * Why an import did not finish. A missing reply is not reported as a failure, since the server may still be importing.
 */
export const importFailure = (error: Error): string =>
  error instanceof NoReplyError
    ? `${error.message} ${error.maySave ? 'Some or all rows may have been imported.' : 'Nothing was imported.'}`
    : `The import failed. ${saidWords(error)}`;

const ANSWERS = 'import';

/** The answers, kept for the next check and the import while the page is open. */
function useAnswers(importing: boolean) {
  const [answers, setAnswers] = useState<Answers>(() => readKept<Answers>(ANSWERS) ?? {});
  /** Whether an answer was given since the last import. */
  const [answered, setAnswered] = useState(Object.keys(answers).length > 0);
  useUnsaved({
    edited: answered && !importing,
    about: 'Your answers have not been used in an import yet.',
    keep: { key: ANSWERS, value: () => answers },
  });
  return {
    answers,
    answer: (key: string, id: string | null): void => {
      setAnswered(true);
      setAnswers(({ [key]: _, ...others }) => (id === null ? others : { ...others, [key]: id }));
    },
    /** Forgets what was said of all rows of this kind's file: another file may be from another place. */
    forgetFile: (kind: ImportKind): void =>
      setAnswers((all) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !key.includes(` of file ${kind} `))),
      ),
    imported: () => setAnswered(false),
  };
}

/** The files, the work in progress and the result of an import. */
export function useImport() {
  const [files, setFiles] = useState<ChosenFiles>({});
  const [working, setWorking] = useState<Working | null>(null);
  /** The result of a check or an import. */
  const [summary, setSummary] = useState<ImportSummary | null>(null);
  const [failure, setFailure] = useState<{ what: Working['what']; error: Error } | null>(null);
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  // An import goes on after the administrator has left the site, but then no one sees its result, so the browser asks
  // before leaving. Within the site, a message on any page shows the result.
  const importing = working?.what === 'import';
  useCloseWarning(importing);
  const { answers, answer, forgetFile, imported } = useAnswers(importing);

  const run = async (what: Working['what']): Promise<void> => {
    if (working || Object.keys(files).length === 0) return;
    setFailure(null);
    setWorking({ what, sent: 0 });
    const form = new FormData();
    for (const { kind } of KINDS) {
      const file = files[kind];
      if (file) form.append(kind, file.bytes, file.name);
    }
    if (Object.keys(answers).length > 0) form.append('answers', JSON.stringify(answers));
    try {
      const done = await upload(importsEndpoints.importFiles, {
        query: what === 'check' ? { dry_run: 'true' } : {},
        files: form,
        onSent: (sent) => setWorking({ what, sent }),
      });
      setSummary(done);
      if (what === 'import') imported();
      if (what === 'import' && !here.current)
        toast({ text: `The import is done: ${number(toWrite(done))} rows saved.` });
    } catch (caught) {
      const error = caught instanceof Error ? caught : new SaidError('Something went wrong.');
      setFailure({ what, error });
      if (what === 'import' && !here.current) toast({ tone: 'warn', text: importFailure(error) });
    } finally {
      setWorking(null);
    }
  };

  const change = (next: ChosenFiles): void => {
    for (const { kind } of KINDS) if (next[kind] !== files[kind]) forgetFile(kind);
    setFiles(next);
    // Clears the results, which were for the previous files.
    setSummary(null);
    setFailure(null);
  };
  return {
    files,
    answers,
    answer,
    working,
    summary,
    failure,
    choose: (kind: ImportKind, file: ChosenFile) => change({ ...files, [kind]: file }),
    remove: (kind: ImportKind) => change(Object.fromEntries(Object.entries(files).filter(([key]) => key !== kind))),
    check: () => run('check'),
    importNow: () => run('import'),
    again: () => change({}),
  };
}
