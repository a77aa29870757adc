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
import { ApiError, NoReplyError, call, detailText, isRecord, send } from '../../../../shared/api/client.ts';
import { conflictsIn } from '../../../../shared/api/conflicts.ts';
import { bytesOf, isWorkbook } from '../../../../shared/api/files.ts';
import { wholeProposal } from '../../../../shared/api/whole-proposal.ts';
import { savedBackedUp } from '../../../../shared/storage/keys.ts';
import { saveFile } from '../../../../shared/save-file.ts';

/**
 * How a refresh or a commit turned out. `unknown`: no reply of the server arrived (`why`), so the changes may have been
 * submitted (`maySave`). `status`: that of a reply which came from elsewhere or was damaged.
 */
export type Outcome<Done> =
  | { kind: 'done'; value: Done }
  | { kind: 'conflicts'; status: number; message: string | null; conflicts: Conflict[] }
  | { kind: 'refused'; status: number; message: string | null }
  | { kind: 'unknown'; status: number | null; why: string; maySave: boolean };

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
    const { output, message, ...others } = reply as Partial<typeof reply> & Pick<typeof reply, 'output'>;
    const whole = wholeProposal({ ...others, data: output.possible_solutions }, savedBackedUp() ?? {});
    return { kind: 'done', value: { reply: whole, message: message ?? '' } };
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
    // If the reply breaks off or is another page, the changes may have been saved. Sending the same key again returns
    // the file.
    const { headers, status } = response;
    const file = await bytesOf(actionsEndpoints.actions, response);
    if (!(await isWorkbook(file))) {
      const reply = await jsonOf(file, headers);
      if (reply === null) throw new NoReplyError('unreadable', actionsEndpoints.actions, status);
      return {
        kind: 'done',
        value: { saved: false, commit: reply.commit ?? null, changes: reply.figures?.changes ?? null },
      };
    }
    saveFile(file, WORKBOOK_NAME);
    const changes = headers.get(CHANGES_HEADER);
    const value = { commit: headers.get(COMMIT_HEADER), changes: changes === null ? null : Number(changes) };
    return { kind: 'done', value: { saved: true, ...value } };
  } catch (error) {
    return failure(error, 409);
  }
}

/** A JSON reply to a commit; null if the file is no JSON object, is empty, or was not sent as JSON. */
async function jsonOf(file: Blob, headers: Headers): Promise<Partial<ActionsReply> | null> {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')) return null;
  const reply: unknown = await file
    .text()
    .then(JSON.parse)
    .catch(() => null);
  return isRecord(reply) && Object.keys(reply).length > 0 ? reply : null;
}

function failure<T>(error: unknown, conflictStatus: number): Outcome<T> {
  if (error instanceof NoReplyError)
    return { kind: 'unknown', status: error.status, why: error.message, maySave: error.maySave };
  if (!(error instanceof ApiError))
    return { kind: 'unknown', status: null, why: 'Something went wrong on this page.', maySave: true };
  const message = detailText(error.detail);
  if (error.status !== conflictStatus) return { kind: 'refused', status: error.status, message };
  return { kind: 'conflicts', status: error.status, message, conflicts: conflictsIn(error.detail) ?? [] };
}
