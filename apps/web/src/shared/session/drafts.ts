import { getSession } from './session-store.ts';
import { decodeToken } from './token.ts';

/**
 * Unsaved work that this tab keeps over a reload and over the end of a session (AUTH-05). It belongs to the account:
 * another account does not see it, and logging out removes it.
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

/** What is kept under a key; null when there is nothing, or nothing that can be read. */
export function readDraft<T>(key: string): T | null {
  try {
    return JSON.parse(storage()?.getItem(PREFIX + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Keeps a value under a key; null removes it. */
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
    // Too large for the browser's storage: it is lost on a reload.
  }
}

export function clearDrafts(): void {
  const kept = storage();
  for (const key of Object.keys(kept ?? {})) if (key.startsWith(PREFIX)) kept?.removeItem(key);
  kept?.removeItem(OWNER);
}

/** Removes what another account has left behind. Called at login, before any page is shown. */
export function claimDrafts(token: string): void {
  const owner = storage()?.getItem(OWNER);
  if (owner != null && decodeToken(token)?.subject !== owner) clearDrafts();
}
