import { importFolderEndpoints } from '@clinic/contract';
import { groupBy } from '@clinic/domain';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { isoOf } from '../../platform/clock.ts';
import { countDifferences, decideDifferences, importWaiting, listDifferences } from './differences.service.ts';
import { lastFolderImport } from './folder-import.queries.ts';

/** What came of the files in the folder for imports, and what the other system has otherwise. */
export function folderRoutes(app: App, { db }: Deps): void {
  addRoute(app, importFolderEndpoints.folderImport, async () => {
    const last = await lastFolderImport(db);
    if (!last) return { last: null, differences: 0 };
    const { id, at, state, folder, summary, wanted_at } = last;
    const { files, new: made, changed, refused, newly_refused, questions, fault } = summary;
    const figures = { files, new: made, changed, refused, newly_refused, questions, fault };
    return {
      last: { id, at: isoOf(at), state, folder, wanted: wanted_at !== null, ...figures },
      differences: await countDifferences(db),
    };
  });

  addRoute(app, importFolderEndpoints.differences, async ({ shows }) => {
    const list = await listDifferences(db);
    const clients = new Map(list.flatMap((each) => each.clients).map((client) => [client.id, client]));
    const named = groupBy([...clients.values()], (client) => client.location);
    shows(
      ...[...named].map(([location, those]) => ({
        subjectKind: 'client',
        subjectIds: those.map(({ id }) => id),
        location,
      })),
    );
    return { differences: list.map((each) => each.shown) };
  });

  addRoute(app, importFolderEndpoints.decideDifferences, async ({ body, act }) => ({
    decided: await decideDifferences(db, body, act),
  }));

  addRoute(app, importFolderEndpoints.importWaiting, ({ params, act }) => importWaiting(db, params.id, act));
}
