import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { TEXTS, absencesEndpoints, type ProposalReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { ApiError, call, detailText, NoReplyError } from '../../../../shared/api/client.ts';
import { saidWords } from '../../../../shared/api/failure-words.ts';
import { afterFrame } from '../../../../shared/after-frame.ts';
import { holdEvents } from '../../../../shared/api/live-events.ts';
import { queryKeys } from '../../../../shared/api/query-client.ts';
import { metadataDetails, wholeProposal } from '../../../../shared/api/whole-proposal.ts';
import type { ProcessBody } from '../saving.ts';
import type { Person } from '../model.ts';
import { PANEL_WORK } from '../panel-work.ts';

/** Shown when no reply arrived. Saving the same absences twice does no harm. */
const MAYBE_SAVED = 'The absences may have been saved. Save again: nothing is saved twice.';
const NOT_SENT = 'Not saved: there is no connection. They are kept here.';

/**
 * The message when saving fails (ABS-06): the server's own message, `Server error: {status}`, or a sentence saying that
 * no reply arrived. If only the options failed, does not say that the save did.
 */
export function saveFailure(error: Error): string {
  if (error instanceof ApiError) {
    if (error.message.startsWith(TEXTS.absencesSaved)) return error.message;
    return TEXTS.absencesFailed(detailText(error.detail) === null ? `Server error: ${error.status}` : error.message);
  }
  if (!(error instanceof NoReplyError)) return TEXTS.absencesFailed(saidWords(error));
  if (error.why === 'offline') return TEXTS.absencesFailed(NOT_SENT);
  const why = error.status !== null && error.status >= 500 ? `Server error: ${error.status}.` : error.message;
  return TEXTS.absencesFailed(`${why} ${MAYBE_SAVED}`);
}

/**
 * Reloads the day unless the page already has this version. While the options are computed, the event about this save
 * may already have reloaded the day.
 */
export function reloadIfOlder(
  queries: QueryClient,
  { location, date }: Pick<ProcessBody, 'location' | 'date'>,
  version = Infinity,
): void {
  const queryKey = queryKeys.slots(location, date);
  const shown = queries.getQueryData<{ version: number }>(queryKey)?.version ?? -1;
  // A request already under way was started by the event about this save, so it is not repeated.
  if (shown < version) void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** Saves the absences and returns the options (ABS-05), or only Option 1 if the others take longer. */
export function useSaveAbsences() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: PANEL_WORK,
    mutationFn: async (body: ProcessBody): Promise<ProposalReply> =>
      wholeProposal(await holdEvents(call(absencesEndpoints.process, { body: { ...body, wait_for: 'first' } }))),
    onSuccess: (reply, body) => {
      const version = metadataDetails(reply.metadata).versions[body.date];
      afterFrame(() => reloadIfOlder(queries, body, version));
    },
  });
}

/** Whether the server refused because removing or shortening the absence would undo a commit. */
export const takesBack = (error: Error): boolean => 'returned' in refusedOf(error);

/** Whether anyone has already been called about the day. If so, new options can keep what people were told. */
export function wasCalled(error: Error): boolean {
  const detail = refusedOf(error);
  return 'called' in detail && detail.called === true;
}

function refusedOf(error: Error): object {
  const detail = error instanceof ApiError && error.status === 409 ? error.detail : null;
  return typeof detail === 'object' && detail !== null ? detail : {};
}

/**
 * Removes a person's recorded absence, or with `id` only that window of it. With `takeBack`, also undoes what commits
 * changed because of it.
 */
export function useWithdrawAbsence(location: Location, date: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: PANEL_WORK,
    mutationFn: ({ name, type, id, takeBack }: Person & { id: string | undefined; takeBack: boolean }) =>
      call(absencesEndpoints.withdraw, { body: { location, date, name, type, id, take_back: takeBack } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.slots(location, date) }),
  });
}

/**
 * Undoes the removal of an absence: records the absence again and gives its sessions back to the therapists who
 * covered them.
 */
export function useRestoreAbsence(location: Location, date: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, type, withdrawn_at }: Person & { withdrawn_at: string | null }) =>
      call(absencesEndpoints.restore, {
        body: { location, date, name, type, ...(withdrawn_at === null ? {} : { withdrawn_at }) },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.slots(location, date) }),
  });
}

/** Asks the server why the removal of an absence cannot be undone. Any event about the day makes the reply stale. */
export const whyNotRestore = (location: Location, date: IsoDate, { name, type }: Person) => ({
  key: [...queryKeys.commits(location, date), 'why-not', type, name],
  ask: async (signal: AbortSignal): Promise<string | null> => {
    const list = await call(absencesEndpoints.withdrawals, { query: { location, date }, signal });
    const cannot = list.find((each) => each.name === name && each.type === type)?.cannot_undo;
    return cannot == null ? null : `Cannot be undone: ${cannot}`;
  },
});

/** The message after the removal of an absence is undone. */
export const awayAgain = (name: string): string => `${name} is away again, and the day is as it was before.`;
