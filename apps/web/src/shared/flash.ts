/** A message to show after a reload: submitting reloads the page (SOL-18), and its toast must appear after that. */
export interface Flash {
  text: string;
  /** The commit that the toast's Undo undoes. */
  undoCommit?: string | undefined;
  /** The first date that was changed, whose call list comes next. */
  callsOf?: { date: string; location: string } | undefined;
}

const KEY = 'flash';

/** Keeps the message for this tab's next page load; if storage is blocked, it is not shown. */
export function saveFlash(flash: Flash): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(flash));
  } catch {
    // no storage
  }
}

/** Returns the message kept for this page load, once. */
export function takeFlash(): Flash | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Flash);
  } catch {
    return null;
  }
}
