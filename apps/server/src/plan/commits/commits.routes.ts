import { actionsEndpoints, CHANGES_HEADER, COMMIT_HEADER, WORKBOOK_NAME, WORKBOOK_TYPE } from '@clinic/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { selectUndoableCommits } from '../../day/commits.ts';
import { requireLocation } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { refusal } from '../../platform/refusal.ts';
import { presentCommit } from '../../day/present-commit.ts';
import { addRoute } from '../../http/route.ts';
import { replyOf, type StoredReply } from './commits.queries.ts';
import { commitChoice } from './commits.service.ts';
import { undoCommit } from './undo.service.ts';

/** The maximum number of bytes in a commit's request, which contains the whole proposal and the chosen cells. */
const SUBMIT_BODY_LIMIT = 8 * 1024 * 1024;

/** Commits chosen options, lists commits, repeats replies and undoes commits (SOL-13, SOL-14). */
export function actionsRoutes(app: App, deps: Deps): void {
  const { db, wallOf } = deps;

  addRoute(
    app,
    actionsEndpoints.actions,
    async ({ body, act, request, reply }) => {
      const done = await commitChoice(db, wallOf, body, keyOf(request), act);
      return namesJson(request) ? done.reply : workbookOf(reply, done);
    },
    { bodyLimit: SUBMIT_BODY_LIMIT },
  );

  addRoute(app, actionsEndpoints.commits, async ({ query }) => {
    const commits = await selectUndoableCommits(db, query.location, query.date, wallOf(query.location));
    return commits.map(presentCommit);
  });

  addRoute(app, actionsEndpoints.workbook, async ({ params, caller, shows, reply }) => {
    const found = await replyOf(db, params.id);
    if (!found) throw refusal('no-such-commit');
    requireLocation(caller, found.location);
    shows({ subjectKind: 'commit', subjectIds: [found.commit], location: found.location });
    return workbookOf(reply, found);
  });

  addRoute(app, actionsEndpoints.undo, async ({ params, act }) =>
    presentCommit(await undoCommit(db, wallOf, params.id, act)),
  );
}

/** Returns the workbook. Headers tell the page the commit's id, for undo, and how many sessions it changes. */
function workbookOf(reply: FastifyReply, done: StoredReply): Buffer {
  const changes = done.reply.figures?.changes;
  if (changes !== undefined) reply.header(CHANGES_HEADER, changes);
  reply
    .type(WORKBOOK_TYPE)
    .header('content-disposition', `attachment; filename="${WORKBOOK_NAME}"`)
    .header(COMMIT_HEADER, done.commit);
  return done.workbook;
}

/** Whether a request asks for JSON rather than the workbook. */
function namesJson(request: FastifyRequest): boolean {
  const accept = (request.headers.accept ?? '').toLowerCase();
  return accept.includes('application/json') && !accept.includes('spreadsheetml');
}

/** The request's idempotency key, or null. Refuses a key that is too long to store. */
function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && key.length > 0 && key.length <= 200) return key;
  throw refusal('request-key-length');
}
