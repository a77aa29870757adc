import { getSession } from './session-store.ts';
import { decodeToken } from './token.ts';

/**
 * Unsaved work that this tab keeps through a reload and the end of a login session (AUTH-05). It belongs to the
 * account: another account does not see it, and logging out removes it.
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

/** The value kept under a key; null when there is none or it cannot be read. */
export function readDraft<T>(key: string): T | null {
  try {
    return JSON.parse(storage()?.getItem(PREFIX + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/**
 * Keeps a value under a key; null removes the value. Once the session has ended, keeps nothing more: what closes then
 * has no owner.
 */
export function writeDraft(key: string, value: unknown): void {
  const kept = storage();
  if (value === null || value === undefined) {
    kept?.removeItem(PREFIX + key);
    return;
  }
  const { claims } = getSession();
  if (!claims) return;
  try {
    if (kept?.getItem(OWNER) !== claims.subject) kept?.setItem(OWNER, claims.subject);
    kept?.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The value is too large for the browser's storage, so a reload will lose it.
  }
}

export function clearDrafts(): void {
  const kept = storage();
  for (const key of Object.keys(kept ?? {})) if (key.startsWith(PREFIX)) kept?.removeItem(key);
  kept?.removeItem(OWNER);
}

/** Removes drafts left behind by another account. */
export function claimDrafts(token: string): void {
  const owner = storage()?.getItem(OWNER);
  if (owner != null && decodeToken(token)?.subject !== owner) clearDrafts();
}

/** The draft of who is selected as absent at a location on a date. */
export const absencesDraft = (location: string, date: string): string => `absences:${location}:${date}`;
