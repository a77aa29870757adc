import { getSession } from './session-store.ts';
import { decodeToken } from './token.ts';

/**
 * Unsaved work, kept in this tab to survive a reload and the end of a session (AUTH-05). It belongs to the account:
 * another person who signs in finds nothing, and signing out removes it.
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

/** What was kept under a key; null when there is nothing, or nothing readable. */
export function readDraft<T>(key: string): T | null {
  try {
    return JSON.parse(storage()?.getItem(PREFIX + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Null removes it. */
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
    // Larger than the browser stores: it does not survive a reload.
  }
}

export function clearDrafts(): void {
  const kept = storage();
  for (const key of Object.keys(kept ?? {})) if (key.startsWith(PREFIX)) kept?.removeItem(key);
  kept?.removeItem(OWNER);
}

/** At sign-in, before its pages are shown: removes what another account left behind. */
export function claimDrafts(token: string): void {
  const owner = storage()?.getItem(OWNER);
  if (owner != null && decodeToken(token)?.subject !== owner) clearDrafts();
}
