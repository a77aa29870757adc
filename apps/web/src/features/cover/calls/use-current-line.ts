import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallLine } from '@clinic/contract';
import { currentLine, lineKey, neighbor } from './model.ts';

/** The line that the keys act on, and what the coordinator has begun on it. */
export function useCurrentLine(lines: readonly CallLine[]) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  /** The line of a person who has just said no, until the coordinator records what they said no to. */
  const [asking, askNo] = useState<string | null>(null);
  /** The line for which another therapist is being chosen. */
  const [changing, askOther] = useState<string | null>(null);
  // The order last shown. When the chosen line leaves the list, the line after it becomes current.
  const [shown, setShown] = useState(() => lines.map(lineKey));
  const line = currentLine(lines, chosen, shown);
  const current = line ? lineKey(line) : null;
  if (shown.length !== lines.length || lines.some((each, i) => lineKey(each) !== shown[i])) {
    setShown(lines.map(lineKey));
    if (chosen !== null) setChosen(current);
  }
  const choose = useCallback((next: string | null): void => {
    setChosen(next);
    setNote('');
    askNo(null);
    askOther(null);
  }, []);
  const move = (step: 1 | -1): void => {
    const next = neighbor(lines, current, step);
    if (!next) return;
    choose(lineKey(next));
    focusLine(lineKey(next));
  };
  return {
    line,
    current,
    /** Makes a line current, with nothing begun on it. */
    choose,
    /** Makes a line current, and keeps what was begun. */
    stayOn: setChosen,
    move,
    note,
    setNote,
    leaveNote: () => current !== null && focusLine(current),
    asking: asking === current ? asking : null,
    askNo,
    changing: changing === current ? changing : null,
    askOther,
  };
}

/** How long after a key or click the focus is kept in the list, in milliseconds. */
const KEPT_MS = 5000;

/** Returns a function that, for a while, moves the focus to the current line when what has it in the list is gone. */
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
  // Once the line shows its buttons.
  requestAnimationFrame(() => line?.scrollIntoView({ block: 'nearest' }));
}
