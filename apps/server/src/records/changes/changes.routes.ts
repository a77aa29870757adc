import { recordsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { readChanges } from './changes.service.ts';

/** Tells other programs which records have changed. */
export function changesRoutes(app: App, { db }: Deps): void {
  addRoute(app, recordsEndpoints.changes, async ({ query, caller, shows }) => {
    const { changes, next, more } = await readChanges(db, query.since, caller.locations);
    shows({ subjectKind: 'change', subjectIds: [], location: null, detail: { changes: changes.length } });
    return { changes: [...changes], next, more };
  });
}
