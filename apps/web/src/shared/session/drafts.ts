import { getSession } from './session-store.ts';
import { decodeToken } from './token.ts';

/**
 * Work that is not saved yet, kept in this tab so that it outlives a reload and a login that ended (AUTH-05). It is
 * bound to the account: someone else who logs in finds nothing, and signing out takes it away.
 */
const PREFIX = 'draft:';
const OWNER = 'draft_owner';

function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** What was kept under a key; null when there is nothing, or nothing that can be read. */
export function readDraft<T>(key: string): T | null {
  try {
    return JSON.parse(storage()?.getItem(PREFIX + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Null takes it away. */
export function writeDraft(key: string, value: unknown): void {
  const kept = storage();
  if (value === null || value === undefined) {
    kept?.removeItem(PREFIX + key);
    return;
  }
  try {
    const { claims } = getSession();
    if (claims && kept?.getItem(OWNER) !== claims.subject) kept?.setItem(OWNER, claims.subject);
    kept?.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // More than the browser keeps: it is lost with the page, as it would be without this.
  }
}

export function clearDrafts(): void {
  const kept = storage();
  for (const key of Object.keys(kept ?? {})) if (key.startsWith(PREFIX)) kept?.removeItem(key);
  kept?.removeItem(OWNER);
}

/** At a login, before its pages are shown: what another account left behind goes. */
export function claimDrafts(token: string): void {
  const owner = storage()?.getItem(OWNER);
  if (owner != null && decodeToken(token)?.subject !== owner) clearDrafts();
}
