import { adminEndpoints, type Account } from '@clinic/contract';
import type { Act } from '../access/act.ts';
import type { App, Deps } from '../access/deps.ts';
import { confirmPassword } from '../access/confirm-owner.ts';
import { addRoute } from '../http/route.ts';
import type { AccountRow } from './accounts.queries.ts';
import {
  accountVersion,
  addAccount,
  changeAccount,
  changesSignIn,
  listAccounts,
  type AccountAct,
} from './accounts.service.ts';

/** Lets administrators manage accounts. */
export function accountsRoutes(app: App, deps: Deps): void {
  const { db } = deps;

  addRoute(app, adminEndpoints.listAccounts, async ({ act }) =>
    (await listAccounts(db, accountAct(act))).map(presentAccount),
  );

  addRoute(app, adminEndpoints.createAccount, async ({ body, act }) => {
    const { password, email, name, role, locations } = body;
    return presentAccount(await addAccount(db, accountAct(act), { email, name, role, locations }, password));
  });

  addRoute(app, adminEndpoints.updateAccount, async ({ params, body, act, request }) => {
    const { your_password, ...changes } = body;
    if (await changesSignIn(db, accountAct(act), params.id, changes)) {
      await confirmPassword(deps, request, your_password ?? '', 'your_password');
    }
    return presentAccount(await changeAccount(db, accountAct(act), params.id, changes));
  });
}

/** Returns who makes this request, the time, and the locations whose accounts they may change. */
export function accountAct({ caller, requestId, at }: Act): AccountAct {
  return { accountId: caller.id, requestId, at, locations: caller.locations };
}

function presentAccount(row: AccountRow): Account {
  const { id, email, name, role, locations } = row;
  return { id, email, name, role, locations, disabled: row.disabled_at !== null, version: accountVersion(row) };
}
