import { useState } from 'react';
import { auditorEndpoints, auditorFileName, MOST_AUDITED_DAYS, SEAL_HEADER } from '@clinic/contract';
import { addDays, daysBetween, isoDate, parseDate, type IsoDate } from '@clinic/domain';
import { SaidError, send } from '../../shared/api/client.ts';
import { saidWords } from '../../shared/api/failure-words.ts';
import { zipOf } from '../../shared/api/zip.ts';
import { saveFile } from '../../shared/save-file.ts';
import { DateField } from '../../shared/ui/date-field.tsx';
import { FormDialog } from '../../shared/ui/form-dialog.tsx';
import { downloadWords, Progress } from '../../shared/ui/progress.tsx';
import css from './auditor.module.css';

type State =
  | { readonly kind: 'choosing' }
  /** `part` is null while the server makes the file, and then goes from 0 to 1. */
  | { readonly kind: 'working'; readonly part: number | null }
  | { readonly kind: 'done'; readonly name: string; readonly seal: string }
  | { readonly kind: 'failed'; readonly error: Error };

/** Makes and downloads the file that an auditor asks for: by default, of the month before this one. */
export function AuditorDialog({
  id,
  name,
  today,
  onClose,
}: {
  id: string;
  name: string;
  today: IsoDate;
  onClose: () => void;
}) {
  const lastOfMonth = addDays(isoDate(`${today.slice(0, 8)}01`), -1);
  const [from, setFrom] = useState<string>(`${lastOfMonth.slice(0, 8)}01`);
  const [to, setTo] = useState<string>(lastOfMonth);
  const [state, setState] = useState<State>({ kind: 'choosing' });
  const fault = faultIn(from, to);
  const download = async (): Promise<void> => {
    if (fault !== null || state.kind === 'working') return;
    setState({ kind: 'working', part: null });
    try {
      const endpoint = auditorEndpoints.makeAuditorFile;
      const body = { client: id, from, to };
      const response = await send(endpoint, { body, headers: { Accept: 'application/zip' } });
      const file = await zipOf(endpoint, response, (part) => setState({ kind: 'working', part }));
      saveFile(file, auditorFileName(body));
      setState({ kind: 'done', name: auditorFileName(body), seal: response.headers.get(SEAL_HEADER) ?? '' });
    } catch (error) {
      setState({ kind: 'failed', error: error instanceof Error ? error : new SaidError('Something went wrong.') });
    }
  };
  return (
    <FormDialog
      title={`File for an auditor: ${name}`}
      width="34rem"
      save={state.kind === 'working' ? 'Downloading...' : 'Download'}
      unavailable={fault !== null || state.kind === 'working'}
      failure={
        state.kind === 'failed'
          ? { text: `The file was not downloaded. ${saidWords(state.error)}`, means: 'The schedule is unchanged.' }
          : null
      }
      onSubmit={() => void download()}
      onClose={onClose}
    >
      <p className="muted">
        Every past session in these dates, with its therapist, credential, authorization, supervision and history as
        they were known then. A zip file with a PDF, a CSV and the proof that nothing in it was changed.
      </p>
      <div className={css.dates}>
        <DateField label="From" value={from} onDate={setFrom} data-autofocus />
        <DateField label="To" value={to} onDate={setTo} error={fault ?? undefined} />
      </div>
      <div role="status">
        {state.kind === 'working' ? (
          <Progress words={downloadWords('Making the file', state.part)} part={state.part} />
        ) : null}
        {state.kind === 'done' ? (
          <>
            <p>
              <b>{`Downloaded: ${state.name}.`}</b> It holds data about a client: keep it safe.
            </p>
            <p className="small">
              Give the auditor this seal in another way than the file, so that they can tell it from a forged one:{' '}
              <code className={css.seal}>{state.seal}</code>
            </p>
          </>
        ) : null}
      </div>
    </FormDialog>
  );
}

/** What is wrong with the dates; null if nothing. */
function faultIn(from: string, to: string): string | null {
  const [first, last] = [parseDate(from), parseDate(to)];
  if (!first || !last) return 'Choose the first and the last day.';
  const days = daysBetween(first, last) + 1;
  if (days < 1) return 'The last day is before the first.';
  return days > MOST_AUDITED_DAYS ? 'A file covers at most a year.' : null;
}
