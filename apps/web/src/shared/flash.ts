/** A message to show after a reload. Submitting reloads the page (SOL-18), so its outcome is shown afterwards. */
export interface Flash {
  text: string;
  /** The commit that the message's Undo button undoes. */
  undoCommit?: string | undefined;
  /** The first date that was changed; the message links to its call list. */
  callsOf?: { date: string; location: string } | undefined;
}

const KEY = 'flash';

/** Keeps the message for this tab's next page load. Without storage, the message is not shown. */
export function saveFlash(flash: Flash): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(flash));
  } catch {
    // Without storage there is no message.
  }
}

/** Returns the message kept for this page load, and removes it. */
export function takeFlash(): Flash | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Flash);
  } catch {
    return null;
  }
}
