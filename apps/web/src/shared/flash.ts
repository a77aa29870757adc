/** A message to show after a reload: submitting reloads the page (SOL-18), and what it did is shown afterwards. */
export interface Flash {
  text: string;
  /** The commit that the message's Undo button undoes. */
  undoCommit?: string | undefined;
  /** The first date that was changed; the message leads to its call list. */
  callsOf?: { date: string; location: string } | undefined;
}

const KEY = 'flash';

/** Keeps the message for the next page load of this tab; without storage, it is not shown. */
export function saveFlash(flash: Flash): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(flash));
  } catch {
    // no storage
  }
}

/** The message that was kept for this page load; returns it only once. */
export function takeFlash(): Flash | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Flash);
  } catch {
    return null;
  }
}
