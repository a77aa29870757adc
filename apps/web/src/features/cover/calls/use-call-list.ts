import { useCallback, useEffect, useRef, useState } from 'react';
import { notifyManager } from '@tanstack/react-query';
import type { CallAnswer, CallLine, CallsReply } from '@clinic/contract';
import { toast } from '../../../shared/ui/toast.tsx';
import { cancelForFamily, loadAgain, newestLine, sendAnswer, sendClaim, type CallDay } from './api/use-calls.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { useNo } from './use-no.ts';
import { currentLine, lineKey, neighbor, whoWords, windowWords } from './model.ts';

/** The call list's current line, and what a coordinator can do with it. */
export function useCallList(day: CallDay, reply: CallsReply) {
  const { lines, leaving, leave, stay } = useLeaving(reply);
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  /** The line of a person who has just said no, until the coordinator records what they said no to. */
  const [asking, askNo] = useState<string | null>(null);
  /** The line for which another therapist is being chosen. */
  const [changing, askOther] = useState<string | null>(null);
  // The order last shown. When the chosen line leaves the list, the line after it becomes current.
  const [shown, setShown] = useState(() => lines.map(lineKey));
  const current = currentLine(lines, chosen, shown);
  const key = current ? lineKey(current) : null;
  if (shown.length !== lines.length || lines.some((line, i) => lineKey(line) !== shown[i])) {
    setShown(lines.map(lineKey));
    if (chosen !== null) setChosen(key);
  }
  const offered = useRef<() => void>(() => undefined);
  const write = useWrites(day);
  const keepFocus = useKeptFocus(key);

  const choose = useCallback((next: string | null): void => {
    setChosen(next);
    setNote('');
    askNo(null);
    askOther(null);
  }, []);
  const person = (line: CallLine) => ({ ...day, kind: line.kind, id: line.id });

  const answer = (line: CallLine, what: CallAnswer, noted = note.trim()): Promise<void> => {
    keepFocus();
    choose(lineKey(line));
    if (what === 'told') leave(line);
    const sent = { ...person(line), version: line.version, answer: what };
    return write(
      async () => {
        await sendAnswer({ ...sent, ...(noted === '' ? {} : { note: noted }) });
        if (what !== 'told') return; // The line itself shows every other result.
        offered.current();
        const action = { label: 'Not told', run: () => void takeBack(line) };
        offered.current = toast({ text: `${whoWords(line)}: told`, action });
      },
      () => stay(line),
    );
  };
  const no = useNo({ day, write, choose, keepFocus, note: note.trim() });
  const takeBack = (who: Pick<CallLine, 'kind' | 'id'>): Promise<void> =>
    write(() => sendAnswer({ ...day, kind: who.kind, id: who.id, version: '', answer: 'not-told' }));
  const ring = (line: CallLine): Promise<void> => {
    setChosen(lineKey(line));
    return write(() => {
      const ringing = newestLine(day, line)?.ringing?.mine !== true;
      return sendClaim({ ...person(line), ringing, ...(ringing && line.ringing ? { take_over: true } : {}) });
    });
  };
  const cancel = (line: CallLine, session: CallLine['sessions'][number]): Promise<void> => {
    keepFocus();
    askNo(null);
    return write(async () => {
      await cancelForFamily(day, line, session);
      toast({ text: `${whoWords(line)}: the session ${windowWords(session)} is cancelled` });
    });
  };
  const move = (step: 1 | -1): void => {
    const next = neighbor(lines, key, step);
    if (!next) return;
    choose(lineKey(next));
    focusLine(lineKey(next));
  };
  return {
    leaving,
    current: key,
    line: current,
    note,
    setNote,
    leaveNote: () => key !== null && focusLine(key),
    choose,
    answer,
    takeBack,
    ring,
    cancel,
    move,
    asking: asking === key ? asking : null,
    askNo,
    day,
    changing: changing === key ? changing : null,
    askOther,
    ...no,
  };
}

export type CallListState = ReturnType<typeof useCallList>;

/**
 * Sends writes one after another, so that a key never waits for the one before it. If a write fails, shows the failure
 * and reloads the list; the later ones are sent all the same.
 */
function useWrites(day: CallDay) {
  const last = useRef(Promise.resolve());
  return (work: () => unknown, settled: () => void = () => undefined): Promise<void> => {
    const once = async (): Promise<void> => {
      try {
        await work();
      } catch (error) {
        toast({ tone: 'warn', text: failureWords(error, 'the list') });
        void loadAgain(day);
      } finally {
        settled();
      }
    };
    last.current = last.current.then(once);
    return last.current;
  };
}

/**
 * The lines that the keyboard can reach: all except those that are being saved as told right now, so that the next key
 * press applies to the next person. A line stays on the page until it is saved.
 */
function useLeaving(reply: CallsReply) {
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  return {
    leaving,
    lines: reply.lines.filter((line) => !leaving.has(lineKey(line))),
    leave: (line: CallLine): void => setLeaving((now) => new Set([...now, lineKey(line)])),
    // Only when the page shows the new list, or the line would be current again for a moment.
    stay: (line: CallLine): void =>
      notifyManager.schedule(() => setLeaving((now) => new Set([...now].filter((key) => key !== lineKey(line))))),
  };
}

/** How long after a key or click the focus is kept in the list, in milliseconds. */
const KEPT_MS = 5000;

/** Returns a function that, for a while, moves the focus to the current line when what has it in the list is gone. */
function useKeptFocus(key: string | null): () => void {
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
