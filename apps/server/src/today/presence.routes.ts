import { todayEndpoints } from '@clinic/contract';
import { inTransaction } from '../db/retry.ts';
import { mayWorkAt } from '../access/caller.ts';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { selectWork, showWork } from '../platform/presence.ts';

/** Shows what each account is working on at the moment: names of accounts, nothing about clients. */
export function presenceRoutes(app: App, { db, accessClock }: Deps): void {
  addRoute(app, todayEndpoints.presence, async ({ caller }) =>
    (await selectWork(db, caller.id, accessClock.now())).filter(({ location }) => mayWorkAt(caller, location)),
  );

  addRoute(app, todayEndpoints.showPresence, ({ body: { tab, work }, caller }) =>
    inTransaction(db, (trx) => showWork(trx, { tab, accountId: caller.id }, work, accessClock.now())),
  );
}
