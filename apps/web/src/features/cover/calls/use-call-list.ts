import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallAnswer, CallLine, CallsReply } from '@clinic/contract';
import { toast } from '../../../shared/ui/toast.tsx';
import { cancelForFamily, loadAgain, sendAnswer, sendClaim, type CallDay } from './api/use-calls.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { useNo } from './use-no.ts';
import { currentLine, lineKey, neighbor, whoWords, windowWords } from './model.ts';

/** The call list's current line, and what a coordinator can do with it. */
export function useCallList(day: CallDay, reply: CallsReply) {
  const { lines } = reply;
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
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
  // Whether the focus must stay in the list when the list changes.
  const follow = useRef(false);

  const choose = useCallback((next: string | null): void => {
    setChosen(next);
    setNote('');
    askNo(null);
    askOther(null);
  }, []);
  useEffect(() => {
    if (!follow.current || key === null) return;
    follow.current = false;
    focusLine(key);
  }, [key, lines]);

  /** Makes one change at a time. If the change fails, shows the failure and reloads the list. */
  const write = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'the list') });
      await loadAgain(day);
    } finally {
      setBusy(false);
    }
  };
  const person = (line: CallLine) => ({ ...day, kind: line.kind, id: line.id });

  const answer = (line: CallLine, what: CallAnswer, noted = note.trim()): Promise<void> =>
    write(async () => {
      const focused = document.activeElement?.closest('[data-line]') !== null;
      choose(lineKey(line));
      const sent = { ...person(line), version: line.version, answer: what };
      await sendAnswer({ ...sent, ...(noted === '' ? {} : { note: noted }) });
      follow.current = focused;
      setNote('');
      if (what !== 'told') return; // The line itself shows every other result.
      offered.current();
      const action = { label: 'Not told', run: () => void takeBack(line) };
      offered.current = toast({ text: `${whoWords(line)}: told`, action });
    });
  const no = useNo({ day, write, choose, follow, note: note.trim() });
  const takeBack = (who: Pick<CallLine, 'kind' | 'id'>): Promise<void> =>
    write(() => sendAnswer({ ...day, kind: who.kind, id: who.id, version: '', answer: 'not-told' }));
  const ring = (line: CallLine): Promise<void> =>
    write(async () => {
      const ringing = line.ringing?.mine !== true;
      await sendClaim({ ...person(line), ringing, ...(ringing && line.ringing ? { take_over: true } : {}) });
      choose(lineKey(line));
    });
  const cancel = (line: CallLine, session: CallLine['sessions'][number]): Promise<void> =>
    write(async () => {
      await cancelForFamily(day, line, session);
      askNo(null);
      toast({ text: `${whoWords(line)}: the session ${windowWords(session)} is cancelled` });
    });
  const move = (step: 1 | -1): void => {
    const next = neighbor(lines, key, step);
    if (!next) return;
    choose(lineKey(next));
    focusLine(lineKey(next));
  };
  return {
    current: key,
    line: current,
    busy,
    note,
    setNote,
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

function focusLine(key: string): void {
  requestAnimationFrame(() => {
    const line = document.querySelector<HTMLElement>(`[data-line="${CSS.escape(key)}"] button`);
    line?.focus();
    line?.scrollIntoView({ block: 'nearest' });
  });
}
