import { exportsEndpoints, ZIP_TYPE } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { signalOf } from '../../access/hang-up.ts';
import { addRoute } from '../../http/route.ts';
import { makeTurns } from '../../platform/turns.ts';
import { lastExport, recordExport, scopeOf, zipExport } from './exports.service.ts';

/** An export reads everything, so one is made at a time; others wait. */
const TURNS = { atOnce: 1, ofOne: 1, mostWaiting: 4, patienceMs: 60_000 } as const;

/** Exports the clinic's data for administrators with access to all locations. */
export function exportsRoutes(app: App, deps: Deps): void {
  const turns = makeTurns(TURNS);

  addRoute(app, exportsEndpoints.lastExport, async () => {
    const last = await lastExport(deps.db);
    return { last: last && { at: last.at, by: last.by } };
  });

  addRoute(app, exportsEndpoints.makeExport, async ({ body, act, caller, request, reply }) => {
    const { locations = null, from = null, until = null, since = null } = body;
    const asked = { locations, from, until, since };
    const endTurn = await turns.take(caller.id, signalOf(request));
    try {
      const made = await zipExport(deps.db, await scopeOf(deps.db, asked), deps.config.adminClientName);
      try {
        await recordExport(deps.db, act, asked, made);
      } catch (error) {
        await made.file.close();
        throw error;
      }
      reply.type(ZIP_TYPE).header('content-length', made.bytes);
      reply.header('content-disposition', 'attachment; filename="export.zip"');
      return made.file.createReadStream({ start: 0 });
    } finally {
      endTurn();
    }
  });
}
