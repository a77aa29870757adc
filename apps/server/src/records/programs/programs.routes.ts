import { recordsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { addServiceAccount, changeServiceAccount, listServiceAccounts } from './programs.service.ts';

/** Lets administrators decide which other programs read the clinic's records. */
export function programsRoutes(app: App, { db }: Deps): void {
  addRoute(app, recordsEndpoints.listServiceAccounts, () => listServiceAccounts(db));
  addRoute(app, recordsEndpoints.addServiceAccount, ({ body, act }) => addServiceAccount(db, body, act));
  addRoute(app, recordsEndpoints.changeServiceAccount, ({ params, body, act }) =>
    changeServiceAccount(db, params.id, body, act),
  );
}
