import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallAnswer, CallLine, CallsReply } from '@clinic/contract';
import { ApiError, NoReplyError } from '../../shared/api/client.ts';
import { toast } from '../../shared/ui/toast.tsx';
import { cancelForFamily, loadAgain, sendAnswer, sendClaim, type CallDay } from './api/use-calls.ts';
import { answerWords, currentLine, lineKey, neighbour, whoWords } from './model.ts';

/** The list's current line, and what a coordinator can do with it. */
export function useCallList(day: CallDay, reply: CallsReply) {
  const { lines } = reply;
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState('');
  const order = useRef<readonly string[]>([]);
  const current = currentLine(lines, chosen, order.current);
  const key = current ? lineKey(current) : null;
  // Where the focus goes after the list changed: only if it was in the list.
  const follow = useRef(false);

  const choose = useCallback((next: string | null): void => {
    setChosen(next);
    setNote('');
  }, []);
  useEffect(() => {
    order.current = lines.map(lineKey);
  }, [lines]);
  useEffect(() => {
    if (!follow.current || key === null) return;
    follow.current = false;
    focusLine(key);
  }, [key, lines]);

  /** One write at a time; whatever went wrong is said, and the list is loaded again. */
  const write = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error) });
      await loadAgain(day);
    } finally {
      setBusy(false);
    }
  };
  const person = (line: CallLine) => ({ ...day, kind: line.kind, id: line.id });

  const answer = (line: CallLine, what: CallAnswer, noted = note.trim()): Promise<void> =>
    write(async () => {
      order.current = lines.map(lineKey);
      const focused = document.activeElement?.closest('[data-line]') !== null;
      const sent = { ...person(line), version: line.version, answer: what };
      await sendAnswer({ ...sent, ...(noted === '' ? {} : { note: noted }) });
      choose(lineKey(line));
      follow.current = focused;
      const undo = { label: 'Not told', run: () => void takeBack(line) };
      toast({ text: `${whoWords(line)}: ${answerWords(what)}`, ...(what === 'told' ? { action: undo } : {}) });
    });
  const takeBack = (who: Pick<CallLine, 'kind' | 'id'>): Promise<void> =>
    write(() => sendAnswer({ ...day, kind: who.kind, id: who.id, version: '', answer: 'not-told' }));
  const ring = (line: CallLine): Promise<void> =>
    write(async () => {
      const ringing = line.ringing?.mine !== true;
      await sendClaim({ ...person(line), ringing, ...(ringing && line.ringing ? { take_over: true } : {}) });
      choose(lineKey(line));
    });
  const cancel = (line: CallLine): Promise<void> =>
    write(async () => {
      await cancelForFamily(day, line);
      toast({ text: `${whoWords(line)}: the session is cancelled` });
    });
  const move = (step: 1 | -1): void => {
    const next = neighbour(lines, key, step);
    if (!next) return;
    choose(lineKey(next));
    focusLine(lineKey(next));
  };
  return { current: key, line: current, busy, note, setNote, choose, answer, takeBack, ring, cancel, move };
}

export type CallListState = ReturnType<typeof useCallList>;

function focusLine(key: string): void {
  requestAnimationFrame(() => {
    const line = document.querySelector<HTMLElement>(`[data-line="${CSS.escape(key)}"] button`);
    line?.focus();
    line?.scrollIntoView({ block: 'nearest' });
  });
}

function failureWords(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof NoReplyError
    ? `${error.message} It may have been saved. Check the list before trying again.`
    : 'Something went wrong. Check the list before trying again.';
}
