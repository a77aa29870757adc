import { auditorEndpoints, auditorFileName, SEAL_HEADER, ZIP_TYPE } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { signalOf } from '../access/hang-up.ts';
import { addRoute } from '../http/route.ts';
import { makeTurns } from '../platform/turns.ts';
import { makeAuditorFile } from './auditor.service.ts';

/** A file may have a year of sessions, so one is made at a time; others wait. */
const TURNS = { atOnce: 1, ofOne: 1, mostWaiting: 8, patienceMs: 60_000 } as const;

/** Makes the file that an auditor asks for about a client. */
export function auditorRoutes(app: App, deps: Deps): void {
  const turns = makeTurns(TURNS);
  addRoute(app, auditorEndpoints.makeAuditorFile, async ({ body, act, caller, request, reply }) => {
    const endTurn = await turns.take(caller.id, signalOf(request));
    try {
      const made = await makeAuditorFile(deps.db, act, body, deps.clock.now());
      reply.type(ZIP_TYPE).header('content-length', made.bytes).header(SEAL_HEADER, made.seal);
      reply.header('content-disposition', `attachment; filename="${auditorFileName(body)}"`);
      return made.file.createReadStream({ start: 0 });
    } finally {
      endTurn();
    }
  });
}
