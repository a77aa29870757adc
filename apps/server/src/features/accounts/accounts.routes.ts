import { adminEndpoints, type Account } from '@clinic/contract';
import { actOf } from '../../platform/act.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { addRoute } from '../../platform/route.ts';
import type { FastifyRequest } from 'fastify';
import type { AccountRow } from './accounts.queries.ts';
import { addAccount, changeAccount, listAccounts, type AccountAct } from './accounts.service.ts';

/** Accounts, for administrators. */
export function accountsRoutes(app: App, deps: Deps): void {
  const { db } = deps;

  addRoute(app, adminEndpoints.listAccounts, async () => (await listAccounts(db)).map(presentAccount));

  addRoute(app, adminEndpoints.createAccount, async ({ body, request }) => {
    const { password, email, name, role, locations } = body;
    return presentAccount(await addAccount(db, accountAct(request, deps), { email, name, role, locations }, password));
  });

  addRoute(app, adminEndpoints.updateAccount, async ({ params, body, request }) =>
    presentAccount(await changeAccount(db, accountAct(request, deps), params.id, body)),
  );
}

function accountAct(request: FastifyRequest, deps: Deps): AccountAct {
  const { caller, requestId, at } = actOf(request, deps);
  return { accountId: caller.id, requestId, at };
}

function presentAccount(row: AccountRow): Account {
  const { id, email, name, role, locations } = row;
  return { id, email, name, role, locations, disabled: row.disabled_at !== null };
}
