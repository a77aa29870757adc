import { useRef, useState, type Dispatch } from 'react';
import { TEXTS, WORKBOOK_NAME } from '@clinic/contract';
import { parseDate, type Location } from '@clinic/domain';
import { metadataDetails } from '../../shared/api/whole-replies.ts';
import { saveFlash } from '../../shared/flash.ts';
import { endSession } from '../../shared/session/session-store.ts';
import { clearBackedUp, saveBackedUp, savedBackedUp, savedLocation } from '../../shared/storage/keys.ts';
import { sendRefresh, sendSubmit } from './api/send-choices.ts';
import type { SolutionsAlertSpec } from './components/solutions-alert.tsx';
import { mixFigures } from './mix.ts';
import type { Choices, SolutionsAction, SolutionsState } from './model.ts';
import { actionsBody, createSubmitKeys, refreshBody, submitLocation } from './requests.ts';
import { tableOf } from './table.ts';

const LOGIN = '/login.html';
/** Refresh turns into Submit in the same place: a second press that was meant for Refresh must not submit the day. */
const SECOND_PRESS_MS = 800;

/** Refreshing and submitting: what is sent, what each answer leads to, and what is said (SOL-09 to SOL-19). */
export function useSolutionsSending(state: SolutionsState, dispatch: Dispatch<SolutionsAction>, location: Location) {
  const [busy, setBusy] = useState<'refresh' | 'submit' | null>(null);
  const [justRefreshed, setJustRefreshed] = useState(false);
  const [alert, setAlert] = useState<SolutionsAlertSpec | null>(null);
  const [keyOf] = useState(() => createSubmitKeys(() => crypto.randomUUID()));
  const abort = useRef<AbortController | null>(null);

  const toLogin = (): void => {
    endSession('refused');
    window.location.assign(LOGIN);
  };

  const refresh = async (pins?: Choices): Promise<void> => {
    if (busy) return;
    setBusy('refresh');
    const stop = new AbortController();
    abort.current = stop;
    const outcome = await sendRefresh(refreshBody(state, pins), stop.signal);
    if (stop.signal.aborted) return;
    setBusy(null);
    if (outcome.kind === 'done') {
      saveBackedUp(outcome.value.backed_up_therapists);
      dispatch({ type: 'refreshed', reply: outcome.value });
      setJustRefreshed(true);
      setTimeout(() => setJustRefreshed(false), SECOND_PRESS_MS);
      if (Object.keys(outcome.value.data).length === 0) {
        setAlert({ title: TEXTS.refreshEmpty, body: 'Everyone is covered as the calendar stands. Close the options.' });
      }
    } else if (outcome.kind === 'conflicts') {
      setAlert({
        title: TEXTS.conflicts,
        conflicts: outcome.conflicts,
        body: 'The options are as they were. Let go of one of each pair, then refresh again.',
      });
    } else if (outcome.kind === 'unknown') {
      setAlert({
        title: TEXTS.refreshNoReply,
        body: 'The options are as they were, and nothing on the calendar changed. Refresh again.',
      });
    } else if (outcome.status === 401) toLogin();
    else setAlert({ title: TEXTS.refreshFailed, body: outcome.message ?? 'The options are as they were.' });
  };

  /** Whether the choices are on the calendar now. */
  const submit = async (): Promise<boolean> => {
    if (busy) return false;
    const at = submitLocation({
      saved: savedLocation(),
      selector: location,
      results: (state.reply as { location?: unknown }).location,
      metadata: state.reply.metadata.location,
    });
    if (at === null) {
      setAlert({ title: TEXTS.locationMissing });
      return false;
    }
    setBusy('submit');
    const body = actionsBody(state, at, savedBackedUp() ?? state.reply.backed_up_therapists);
    const outcome = await sendSubmit(body, keyOf(state));
    setBusy(null);
    if (outcome.kind === 'done') {
      clearBackedUp();
      const { saved, commit } = outcome.value;
      saveFlash({
        text: `${changesWords(state)} submitted${saved ? `, ${WORKBOOK_NAME} saved` : ''}`,
        ...(commit === null ? {} : { undoCommit: commit }),
      });
      return true;
    }
    if (outcome.kind === 'conflicts') {
      dispatch({ type: 'conflicts', conflicts: outcome.conflicts });
      setAlert({
        title: TEXTS.actionsFailed,
        conflicts: outcome.conflicts,
        body: [outcome.message, outcome.conflicts.length > 0 ? 'The cells are marked in the table.' : '']
          .filter(Boolean)
          .join(' '),
      });
    } else if (outcome.kind === 'unknown') {
      setAlert({
        title: TEXTS.actionsNoReply,
        body: 'No answer came, so it is not known whether the changes were written. Submit again: the same request is sent, and nothing is written twice.',
      });
    } else if (outcome.status === 401) toLogin();
    else setAlert({ title: TEXTS.actionsFailed, body: outcome.message ?? undefined });
    return false;
  };

  return {
    busy,
    /** A moment in which nothing is to be submitted. */
    justRefreshed,
    alert,
    dismissAlert: () => setAlert(null),
    refresh,
    submit,
    /** Stops waiting for a refresh; a submit is never let go of. */
    leave: () => abort.current?.abort(),
  };
}

/** `6 changes`: as many as the modal's foot says of each date. */
function changesWords({ reply, dates, choices }: SolutionsState): string {
  const { options } = metadataDetails(reply.metadata);
  const n = dates.reduce((sum, text) => {
    const date = parseDate(text);
    const table = date && tableOf(reply.data, options[date] ?? {}, date);
    return sum + (table ? (mixFigures(table, choices[text] ?? {})?.changes ?? 0) : 0);
  }, 0);
  return n === 1 ? '1 change' : `${n} changes`;
}
