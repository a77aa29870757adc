import {
  CHANGES_HEADER,
  COMMIT_HEADER,
  WORKBOOK_NAME,
  WORKBOOK_TYPE,
  actionsEndpoints,
  proposalsEndpoints,
  type ActionsBody,
  type ActionsReply,
  type Conflict,
  type ProposalReply,
  type BodyOf,
} from '@clinic/contract';
import { ApiError, NoReplyError, call, detailText, send } from '../../../../shared/api/client.ts';
import { conflictsIn } from '../../../../shared/api/conflicts.ts';
import { wholeProposal } from '../../../../shared/api/whole-replies.ts';
import { savedBackedUp } from '../../../../shared/storage/keys.ts';
import { saveFile } from '../../../../shared/save-file.ts';

/** How a refresh or a commit turned out. `unknown`: no reply arrived, so no one knows what the server did. */
export type Outcome<Done> =
  | { kind: 'done'; value: Done }
  | { kind: 'conflicts'; status: number; message: string | null; conflicts: Conflict[] }
  | { kind: 'refused'; status: number; message: string | null }
  | { kind: 'unknown' };

export interface Refreshed {
  reply: ProposalReply;
  /** The server's message about the new options; may be empty. */
  message: string;
}

/** Sends a refresh (SOL-09). The outcome is the new options, or the conflicts between pins. */
export async function sendRefresh(
  body: BodyOf<typeof proposalsEndpoints.refresh>,
  signal: AbortSignal,
): Promise<Outcome<Refreshed>> {
  try {
    const reply = await call(proposalsEndpoints.refresh, { body, signal, on401: 'throw' });
    const { message } = reply as Partial<typeof reply>;
    return { kind: 'done', value: { reply: wholeProposal(reply, savedBackedUp() ?? {}), message: message ?? '' } };
  } catch (error) {
    return failure(error, 410);
  }
}

export interface Submitted {
  /** Whether a workbook arrived and was saved. */
  saved: boolean;
  /** The commit's id, for undo; null when the reply does not name it. */
  commit: string | null;
  /** How many sessions the commit changes; null when the reply does not say. */
  changes: number | null;
}

/** After this long without a reply, a commit's outcome counts as unknown. */
const LONGEST_SUBMIT_MS = 60_000;

/**
 * Submits the choices (SOL-13, SOL-14). A workbook is saved to the browser's downloads; a JSON reply is accepted too.
 */
export async function sendSubmit(body: ActionsBody, key: string): Promise<Outcome<Submitted>> {
  try {
    const response = await send(actionsEndpoints.actions, {
      body,
      headers: { Accept: WORKBOOK_TYPE, 'Idempotency-Key': key },
      signal: AbortSignal.timeout(LONGEST_SUBMIT_MS),
      on401: 'throw',
    });
    if (response.headers.get('Content-Type')?.includes('json')) {
      const reply = (await response.json()) as Partial<ActionsReply>;
      return {
        kind: 'done',
        value: { saved: false, commit: reply.commit ?? null, changes: reply.figures?.changes ?? null },
      };
    }
    // The server has already saved the changes. If the reply breaks off, only the file is lost, and sending the same
    // key again returns the file.
    saveFile(await response.blob(), WORKBOOK_NAME);
    const { headers } = response;
    const changes = headers.get(CHANGES_HEADER);
    const value = { commit: headers.get(COMMIT_HEADER), changes: changes === null ? null : Number(changes) };
    return { kind: 'done', value: { saved: true, ...value } };
  } catch (error) {
    return failure(error, 409);
  }
}

function failure<T>(error: unknown, conflictStatus: number): Outcome<T> {
  // If a gateway replies with an error, the specification prescribes the message for a refusal (SOL-12, SOL-17).
  if (error instanceof NoReplyError && error.status !== null)
    return { kind: 'refused', status: error.status, message: null };
  if (!(error instanceof ApiError)) return { kind: 'unknown' };
  const message = detailText(error.detail);
  if (error.status !== conflictStatus) return { kind: 'refused', status: error.status, message };
  return { kind: 'conflicts', status: error.status, message, conflicts: conflictsIn(error.detail) ?? [] };
}
