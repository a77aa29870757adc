import { useEffect, useRef, useState } from 'react';
import { readDraft, writeDraft } from '../session/drafts.ts';
import { getSession, onSessionLost } from '../session/session-store.ts';
import { addGuard, mayLeave, type Guard, type QuestionWords } from './guards.ts';

export interface Unsaved {
  /** Whether something typed is not saved yet. */
  edited: boolean;
  /** Whether the form is being saved now. */
  saving?: boolean;
  /** What is not saved yet, as a sentence. */
  about?: string;
  /** The question in the page's language, unless that is English. */
  words?: QuestionWords | undefined;
  /** Called when the user discards the edits. */
  onDiscard?: () => void;
  /**
   * Keeps the edits in this tab if the form closes without the user wanting to leave it, for example because the login
   * session ended. The form reads the edits again with `readKept`.
   */
  keep?: { readonly key: string; readonly value: () => unknown };
}

const DRAFT = 'form:';
/** The edits kept under a key when the form closed; null if there are none. */
export const readKept = <T>(key: string): T | null => readDraft<T>(DRAFT + key);

/** Asks before anything typed in a form would be lost. */
export function useUnsaved(unsaved: Unsaved) {
  const { edited, saving = false, keep } = unsaved;
  const latest = useRef(unsaved);
  /** True once the edits are saved or discarded, even while the form still shows them. */
  const settled = useRef(false);
  const [guard] = useState<Guard>(() => ({
    edited: () => latest.current.edited && !settled.current,
    saving: () => latest.current.saving === true && !settled.current,
    about: () => latest.current.about,
    words: () => latest.current.words,
    discard: () => {
      settled.current = true;
      latest.current.onDiscard?.();
    },
  }));
  useEffect(() => {
    latest.current = unsaved;
    if (!edited && !saving) settled.current = false;
  });
  useEffect(() => addGuard(guard), [guard]);
  useCloseWarning(edited || saving, settled);
  useKeeping(keep?.key, () => (guard.edited() ? latest.current.keep?.value() : null));
  return {
    /** Whether the form may be left now. If there are edits, asks first, and calls `go` once they are discarded. */
    mayClose: (go: () => void): boolean => mayLeave(go, [guard]),
    /** Closes without asking, since the edits are saved or are being discarded. */
    leave: (close: () => void): void => {
      settled.current = true;
      close();
    },
  };
}

/** Makes the browser ask before the tab is closed or reloaded. */
export function useCloseWarning(on: boolean, settled?: { readonly current: boolean }): void {
  useEffect(() => {
    if (!on) return;
    const warn = (event: BeforeUnloadEvent): void => {
      if (settled?.current !== true) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [on, settled]);
}

/** Keeps a form's edits under `key` when the form closes. `edits` returns null when there are none. */
function useKeeping(key: string | undefined, edits: () => unknown): void {
  const latest = useRef(edits);
  useEffect(() => {
    latest.current = edits;
  });
  useEffect(() => {
    if (key === undefined) return;
    const keep = (): void => writeDraft(DRAFT + key, latest.current());
    const stop = onSessionLost(keep);
    return () => {
      stop();
      if (getSession().signedIn) keep(); // After a logout, the tab must keep nothing.
    };
  }, [key]);
}
