/** What is said after a reload: a submit reloads the page (SOL-18), and its toast must come after. */
export interface Flash {
  text: string;
  /** The commit that the toast's Undo takes back. */
  undoCommit?: string | undefined;
}

const KEY = 'flash';

/** Keeps it for the next page load of this tab; where storage is closed it is not said. */
export function saveFlash(flash: Flash): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(flash));
  } catch {
    // no storage
  }
}

/** The message kept for this page load, once. */
export function takeFlash(): Flash | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : (JSON.parse(kept) as Flash);
  } catch {
    return null;
  }
}
