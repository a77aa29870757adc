import type { RecordScope } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import type { Caller } from './sessions.ts';
import type { ServiceSubject } from './tokens.ts';

/** What a route of records needs of a service account: a scope and, in FHIR, the type of resource. */
export interface NeededScope {
  readonly scope: RecordScope;
  readonly resource?: string;
}

/**
 * Whether granted scopes allow something: by our own name (`fhir.read`), or as SMART writes it
 * (`system/Appointment.rs`).
 */
export function scopesAllow(granted: readonly string[], { scope, resource }: NeededScope): boolean {
  if (granted.includes(scope)) return true;
  if (scope !== 'fhir.read') return false;
  return granted.includes('system/*.rs') || (resource !== undefined && granted.includes(`system/${resource}.rs`));
}

/** The keys of a service account, by their RFC 7638 thumbprints. */
export interface ServiceKey {
  readonly thumbprint: string;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export async function findServiceAccount(db: Db, id: string) {
  const row = await db
    .selectFrom('service_account')
    .select(['id', 'name', 'scopes', 'locations', 'keys', 'disabled_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, keys: row.keys as readonly ServiceKey[] };
}

/**
 * Returns the caller of a service account's token. It is looked up for every request, so that an account which was
 * disabled, lost a scope or whose key was replaced is refused at once, on every server.
 */
export async function findServiceCaller(db: Db, subject: ServiceSubject, now: number): Promise<Caller | undefined> {
  const account = await findServiceAccount(db, subject.serviceAccountId);
  if (!account || account.disabled_at !== null) return undefined;
  if (!account.keys.some(({ thumbprint }) => thumbprint === subject.key)) return undefined;
  const { id, name, locations } = account;
  const scopes = subject.scopes.filter((scope) => scopesAllow(account.scopes, ownScope(scope)));
  const none = { therapistId: null, demo: false, sessionId: '', way: null, mustSetUp: false, sessionEnds: now };
  return { ...none, id, email: name, name, role: 'service', locations, scopes };
}

/** The scope that an account must have to be granted a scope of a request. */
export const ownScope = (scope: string): NeededScope => (scope === 'changes.read' ? { scope } : { scope: 'fhir.read' });
