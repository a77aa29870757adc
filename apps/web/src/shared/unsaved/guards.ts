/**
 * The forms that may have unsaved edits. Every way out of a form (Escape, its buttons, Back and Forward, links, closing
 * the tab) asks here first.
 */
export interface Guard {
  /** Whether leaving would lose something. */
  edited: () => boolean;
  /** Whether the form is being saved. A sent save cannot be stopped, so the form stays until the reply. */
  saving: () => boolean;
  /** What is not saved yet, as a sentence. */
  about: () => string | undefined;
  /** The question in another language. */
  words?: () => QuestionWords | undefined;
  discard: () => void;
}

/** The texts of the question, for pages that are not in English. */
export interface QuestionWords {
  readonly title: string;
  readonly keep: string;
  readonly discard: string;
}

/** The question that is open. */
export interface Question {
  about: string | undefined;
  words: QuestionWords | undefined;
  /** Closes the question; the user keeps editing. */
  keep: () => void;
  /** Discards the edits and does what the user wanted to do. */
  discard: () => void;
}

const guards = new Set<Guard>();
const listeners = new Set<() => void>();
let open: { readonly question: Question; readonly of: readonly Guard[] } | null = null;

function show(next: typeof open): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Adds a guard. Returns a function that removes the guard and closes its question. */
export function addGuard(guard: Guard): () => void {
  guards.add(guard);
  return () => {
    guards.delete(guard);
    if (open?.of.includes(guard)) show(null);
  };
}

/**
 * Whether these forms (by default all) may be left now. If there are edits, asks first, and calls `go` once the user
 * discards them.
 */
export function mayLeave(go: () => void, of: readonly Guard[] = [...guards]): boolean {
  if (of.some((guard) => guard.saving())) return false;
  const edited = of.filter((guard) => guard.edited());
  if (edited.length === 0) return true;
  const discard = (): void => {
    show(null);
    for (const guard of edited) guard.discard();
    go();
  };
  const last = edited.at(-1);
  show({ question: { about: last?.about(), words: last?.words?.(), keep: () => show(null), discard }, of: edited });
  return false;
}

export const getQuestion = (): Question | null => open?.question ?? null;
export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
