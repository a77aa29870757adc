import { useRef, useState, type Dispatch } from 'react';
import { TEXTS, WORKBOOK_NAME } from '@clinic/contract';
import { parseDate, type Location } from '@clinic/domain';
import { metadataDetails } from '../../../shared/api/whole-proposal.ts';
import { saveFlash } from '../../../shared/flash.ts';
import { loadPage } from '../../../shared/router/history.ts';
import { endSession } from '../../../shared/session/session-store.ts';
import { clearBackedUp, savedBackedUp, savedLocation } from '../../../shared/storage/keys.ts';
import { sendRefresh, sendSubmit, type Outcome } from './api/send-choices.ts';
import type { ProposalAlertSpec } from './components/proposal-alert.tsx';
import { mixFigures } from './mix.ts';
import type { Choices, ProposalAction, ProposalState } from './model.ts';
import { actionsBody, createSubmitKeys, refreshBody, submitLocation, withChosen, type Chosen } from './requests.ts';
import { tableOf } from './table.ts';

type Failed = Exclude<Outcome<never>, { kind: 'done' }>;

const LOGIN = '/login.html';
/**
 * How long Submit does nothing after a refresh. Submit has taken the place of Refresh, so a second press may be meant
 * for Refresh.
 */
const SECOND_PRESS_MS = 800;

/** The message for each way in which a refresh or a commit can fail. */
interface FailureWords {
  conflicts: ProposalAlertSpec;
  unknown: ProposalAlertSpec;
  refused: ProposalAlertSpec;
}

/** Sends refreshes and commits, and acts on each reply (SOL-09 to SOL-19). */
export function useProposalSending(state: ProposalState, dispatch: Dispatch<ProposalAction>, location: Location) {
  const [busy, setBusy] = useState<'refresh' | 'submit' | null>(null);
  const [justRefreshed, setJustRefreshed] = useState(false);
  const [alert, setAlert] = useState<ProposalAlertSpec | null>(null);
  const [gone, setGone] = useState(false);
  const [keyOf] = useState(() => createSubmitKeys(() => crypto.randomUUID()));
  const abort = useRef<AbortController | null>(null);

  const fail = (outcome: Failed, words: (outcome: Failed) => FailureWords, choosing = false): void => {
    if (outcome.kind === 'refused' && outcome.status === 401) {
      endSession('refused');
      loadPage(LOGIN);
    } else {
      setAlert(words(outcome)[outcome.kind]);
      if (isGone(outcome, choosing)) setGone(true);
    }
  };

  const refresh = async (pins: Choices = state.pins, choose?: Chosen): Promise<void> => {
    if (busy) return;
    setBusy('refresh');
    const stop = new AbortController();
    abort.current = stop;
    const outcome = await sendRefresh(refreshBody(state, pins, choose), stop.signal);
    if (stop.signal.aborted) return;
    setBusy(null);
    if (outcome.kind !== 'done') return fail(outcome, refreshFailure, choose !== undefined);
    const { reply, message } = outcome.value;
    const pinned = choose ? withChosen(pins, choose) : pins;
    dispatch({ type: 'refreshed', reply, message, pinned, keep: choose !== undefined });
    setJustRefreshed(true);
    setTimeout(() => setJustRefreshed(false), SECOND_PRESS_MS);
    if (Object.keys(reply.data).length === 0)
      setAlert({ title: TEXTS.refreshEmpty, body: message || 'No session needs cover anymore. Close the options.' });
  };

  /** Submits, and returns whether the choices are now on the calendar. */
  const submit = async (): Promise<boolean> => {
    if (busy) return false;
    const at = sentLocation(state, location);
    if (at === null) {
      setAlert({ title: TEXTS.locationMissing });
      return false;
    }
    setBusy('submit');
    const body = actionsBody(state, at, savedBackedUp() ?? state.reply.backed_up_therapists);
    const outcome = await sendSubmit(body, keyOf(state));
    setBusy(null);
    if (outcome.kind !== 'done') {
      if (outcome.kind === 'conflicts') dispatch({ type: 'conflicts', conflicts: outcome.conflicts });
      fail(outcome, submitFailure);
      return false;
    }
    clearBackedUp();
    const { saved, commit, changes } = outcome.value;
    const counted = changes === null ? changesWords(state) : count(changes);
    saveFlash({
      text: `${counted} submitted${saved ? `, ${WORKBOOK_NAME} saved` : ''}`,
      undoCommit: commit ?? undefined,
      // Not `at`: the saved location is the one chosen last in any tab.
      callsOf: { date: Object.keys(body.selectedOptions).sort()[0] ?? '', location },
    });
    return true;
  };

  return {
    busy,
    /** Whether a refresh has only just finished. While this is true, Submit does nothing. */
    justRefreshed,
    alert,
    dismissAlert: () => setAlert(null),
    /** Whether the server no longer takes these options: they were submitted, replaced or removed. */
    gone,
    refresh,
    submit,
    /** Stops waiting for a refresh. A commit is never stopped. */
    leave: () => abort.current?.abort(),
  };
}

/** The location that a commit names (SOL-15). */
const sentLocation = ({ reply }: ProposalState, location: Location): Location | null =>
  submitLocation({
    saved: savedLocation(),
    selector: location,
    results: (reply as { location?: unknown }).location,
    metadata: reply.metadata.location,
  });

export type ProposalSending = ReturnType<typeof useProposalSending>;

const whyOf = (outcome: Failed) => (outcome.kind === 'unknown' ? outcome.why : '');
const conflictsOf = (outcome: Failed) => (outcome.kind === 'conflicts' ? outcome.conflicts : []);
const messageOf = (outcome: Failed) => (outcome.kind === 'unknown' ? null : outcome.message);
/** Whether a reply arrived that was not the server's: the specification then has the message for a refusal. */
const isForeign = (outcome: Failed) => outcome.kind === 'unknown' && outcome.status !== null;

const refreshFailure = (outcome: Failed): FailureWords => ({
  conflicts: {
    title: TEXTS.conflicts,
    conflicts: conflictsOf(outcome),
    body: 'These cannot both stay. Unpin one of them, then refresh. Your options have not changed.',
  },
  unknown: {
    title: isForeign(outcome) ? TEXTS.refreshFailed : TEXTS.refreshNoReply,
    body: `${whyOf(outcome)} Your options and the calendar have not changed. Refresh again.`,
  },
  refused: { title: TEXTS.refreshFailed, body: messageOf(outcome) ?? 'Your options have not changed.' },
});

const submitFailure = (outcome: Failed): FailureWords => ({
  conflicts: {
    title: TEXTS.actionsFailed,
    conflicts: conflictsOf(outcome),
    body: [messageOf(outcome), conflictsOf(outcome).length > 0 ? 'The conflicts are marked in the table.' : '']
      .filter(Boolean)
      .join(' '),
  },
  unknown: {
    title: isForeign(outcome) ? TEXTS.actionsFailed : TEXTS.actionsNoReply,
    body: `${whyOf(outcome)} ${outcome.kind === 'unknown' && outcome.maySave ? MAY_BE_SUBMITTED : NOT_SUBMITTED}`,
  },
  refused: { title: TEXTS.actionsFailed, body: messageOf(outcome) ?? undefined },
});

/**
 * A refusal without conflicts is about the options themselves, not about a choice in them. Only a therapist chosen for a
 * cell can be invalid in options that are still good.
 */
const isGone = (outcome: Failed, choosing: boolean): boolean =>
  outcome.kind !== 'unknown' &&
  conflictsOf(outcome).length === 0 &&
  (choosing ? [404, 409] : [404, 409, 422]).includes(outcome.status);

const MAY_BE_SUBMITTED = 'The changes may have been submitted. Submit again: nothing is submitted twice.';
const NOT_SUBMITTED = 'Not submitted. Your choices are kept here.';

/**
 * How many changes the commit made, if the reply does not say: the sum of the footer's figures, or `Changes` without a
 * number when figures are missing.
 */
function changesWords({ reply, dates, choices }: ProposalState): string {
  const details = metadataDetails(reply.metadata);
  let n = 0;
  for (const date of dates.map(parseDate)) {
    const figures = date && mixFigures(tableOf(reply.data, details, date), choices[date] ?? {});
    if (!figures) return 'Changes';
    n += figures.changes;
  }
  return count(n);
}

const count = (changes: number): string => (changes === 1 ? '1 change' : `${changes} changes`);
