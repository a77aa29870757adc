import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallLine } from '@clinic/contract';
import { toast } from '../../../shared/ui/toast.tsx';
import type { CallDay } from './api/use-calls.ts';
import { keepNote, keptNotes, withNote } from './kept-notes.ts';
import { currentLine, lineKey, neighbor, whoWords } from './model.ts';

/** The line that key presses act on, with its note and any open question. */
export function useCurrentLine(lines: readonly CallLine[], day: CallDay) {
  const { kept, notes, setNote, restoreNote } = useNotes(day);
  const [first = null] = lines.map(lineKey).toSorted((a, b) => Number(b === kept.line) - Number(a === kept.line));
  const [chosen, setChosen] = useState(first);
  /** The lines that the coordinator's own actions may take off the list. */
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set());
  /** The person whose line was current when something other than this coordinator's action took it off the list. */
  const [lost, setLost] = useState<string | null>(null);
  // The lines last shown. When the chosen line leaves the list, the line after it becomes current.
  const [shown, setShown] = useState(lines);
  const line = lost === null ? currentLine(lines, chosen, shown.map(lineKey), own) : undefined;
  const current = line ? lineKey(line) : null;
  const { askNothing, setBefore, ...questions } = useQuestions(current);
  if (shown.length !== lines.length || lines.some((each, i) => each !== shown[i])) {
    setShown(lines);
    const left = shown.find((each) => lineKey(each) === chosen);
    if (lost === null && !line && left && lines.length > 0) setLost(whoWords(left));
    setChosen(current);
  }
  useEffect(() => {
    if (lost !== null) toast({ tone: 'warn', text: lostWords(lost) });
  }, [lost]);
  const stayOn = useCallback((next: string | null): void => {
    setLost(null);
    setChosen(next);
    setOwn((keys) => new Set([...keys].filter((key) => key !== next)));
  }, []);
  const choose = useCallback(
    (next: string | null): void => {
      stayOn(next);
      askNothing();
    },
    [stayOn, askNothing],
  );
  const take = (key: string): void => setOwn((keys) => new Set([...keys, key]));
  const goTo = (key: string): void => {
    choose(key);
    focusLine(key);
  };
  const move = (step: 1 | -1): void => {
    const next = neighbor(lines, current, step);
    if (next) goTo(lineKey(next));
  };
  return {
    line,
    current,
    /** Makes a line current, and closes any question that is open. */
    choose,
    /** Makes a line current, and leaves an open question open. */
    stayOn,
    /** Remembers that the coordinator has just done something that may take a line off the list. */
    take,
    /**
     * Makes a line current, and remembers that the coordinator has just done something that may take the line off the
     * list. Also clears the line's note, which is saved with the action; `restoreNote` brings the note back if the save
     * failed.
     */
    act: (key: string): void => {
      choose(key);
      take(key);
      setNote(key, '');
    },
    restoreNote,
    goTo,
    move,
    note: current === null ? '' : (notes[current] ?? ''),
    setNote: (next: string): void => {
      if (current === null) return;
      setNote(current, next);
      keepNote(day, current, next);
    },
    focusCurrent: () => current !== null && focusLine(current),
    ...questions,
    /** Asks once before someone is told what hangs on a yes that nobody has given yet; `go` records it all the same. */
    askBefore: (key: string, go: () => void): void => {
      choose(key);
      setBefore({ key, go });
    },
  };
}

/** The questions that a line may ask; each is open on one line, and closed when another line becomes current. */
function useQuestions(current: string | null) {
  /** The line of a person who has just said no, until the coordinator records what they said no to. */
  const [asking, askNo] = useState<string | null>(null);
  /** The line for which another therapist is being chosen. */
  const [changing, askOther] = useState<string | null>(null);
  /** The line whose result waits, because someone who is asked has not said yes yet. */
  const [before, setBefore] = useState<{ readonly key: string; readonly go: () => void } | null>(null);
  const askNothing = useCallback((): void => {
    askNo(null);
    askOther(null);
    setBefore(null);
  }, []);
  return {
    asking: asking === current ? asking : null,
    askNo,
    changing: changing === current ? changing : null,
    askOther,
    before: before?.key === current ? before : null,
    setBefore,
    askNothing,
  };
}

/** The notes on this list's lines, including a note that is being typed. */
function useNotes(day: CallDay) {
  const [kept] = useState(() => keptNotes(day));
  const [notes, setNotes] = useState(kept.notes);
  return {
    kept,
    notes,
    setNote: (key: string, note: string): void => setNotes((now) => withNote(now, key, note)),
    /** Puts a note back, unless another one has been typed since. */
    restoreNote: (key: string, note: string): void =>
      setNotes((now) => (now[key] === undefined ? withNote(now, key, note) : now)),
  };
}

const lostWords = (who: string): string =>
  `${who} has left the list: someone else told them, the change was undone, the day sheet was sent, or its time has passed. If you have just told them, call them again. Then choose the next person.`;

/** How long after a key or click the focus is kept in the list, in milliseconds. */
const KEPT_MS = 5000;

/**
 * Returns a function that keeps the focus in the list for a while: when the focused element disappears, the focus moves
 * to the current line.
 */
export function useKeptFocus(key: string | null): () => void {
  const until = useRef(0);
  useEffect(() => {
    if (performance.now() > until.current || key === null || document.activeElement !== document.body) return;
    until.current = 0;
    focusLine(key);
  });
  return () => {
    if (document.activeElement?.closest('[data-line]')) until.current = performance.now() + KEPT_MS;
  };
}

function focusLine(key: string): void {
  const line = document.querySelector<HTMLElement>(`[data-line="${CSS.escape(key)}"] button`);
  line?.focus({ preventScroll: true });
  // Waits until the line shows its buttons.
  requestAnimationFrame(() => line?.scrollIntoView({ block: 'nearest' }));
}
