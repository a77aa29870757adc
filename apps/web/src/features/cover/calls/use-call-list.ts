import { useRef, useState } from 'react';
import { notifyManager } from '@tanstack/react-query';
import type { AnswerBody, CallAnswer, CallLine, CallsReply, SameLine } from '@clinic/contract';
import { isoDate, listWords } from '@clinic/domain';
import { say, toast } from '../../../shared/ui/toast.tsx';
import { cancelForFamily, loadAgain, newestLine, sendAnswer, sendClaim, type CallDay } from './api/use-calls.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { keepNote, keptNotes } from './kept-notes.ts';
import { useNo } from './use-no.ts';
import { useCurrentLine, useKeptFocus } from './use-current-line.ts';
import { answerWords, isBeforeYes, lineKey, ringWords, whoWords, windowWords } from './model.ts';

type More = Pick<AnswerBody, 'ring_by' | 'before_yes'>;

/** Wraps actions so that their notes are kept until the action has succeeded, even if the login session ends. */
const keepingNotes =
  (day: CallDay, restoreNote: (key: string, note: string) => void) =>
  (line: CallLine, noted: string, work: () => Promise<void>) => {
    const key = lineKey(line);
    keepNote(day, key, noted);
    return async (): Promise<void> => {
      try {
        await work();
        if (keptNotes(day).notes[key] === noted) keepNote(day, key, '');
      } catch (error) {
        restoreNote(key, noted);
        throw error;
      }
    };
  };

/** The further dates that a line speaks of. A no, or a promise to ring again, is for one date. */
function furtherDates(same: SameLine | undefined, what: CallAnswer, { ring_by }: More): Pick<AnswerBody, 'also'> {
  if (!same || what === 'said-no' || ring_by !== undefined) return {};
  return { also: same.dates.map((each) => ({ ...each, date: isoDate(each.date) })) };
}

/** The call list's current line, and what a coordinator can do with it. */
export function useCallList(day: CallDay, reply: CallsReply, same: ReadonlyMap<string, SameLine>) {
  const { lines, leaving, leave, stay } = useLeaving(reply);
  const { choose, stayOn, act, take, restoreNote, ...at } = useCurrentLine(lines, day);
  const { note, askNo, askBefore } = at;
  const offered = useRef<() => void>(() => undefined);
  const write = useWrites(day);
  const keepFocus = useKeptFocus(at.current);

  const person = (line: CallLine) => ({ ...day, kind: line.kind, id: line.id });

  const withItsNote = keepingNotes(day, restoreNote);

  const answer = (line: CallLine, what: CallAnswer, noted = note.trim(), more: More = {}): Promise<void> => {
    if (more.before_yes !== true && isBeforeYes(line, what)) {
      askBefore(lineKey(line), () => void answer(line, what, noted, { ...more, before_yes: true }));
      return Promise.resolve();
    }
    keepFocus();
    act(lineKey(line));
    if (what === 'told') leave(line);
    const further = furtherDates(same.get(line.version), what, more);
    const sent = {
      ...person(line),
      version: line.version,
      answer: what,
      last_shown: line.newest_result,
      ...further,
      ...more,
    };
    return write(
      withItsNote(line, noted, async () => {
        const after = await sendAnswer({ ...sent, ...(noted === '' ? {} : { note: noted }) });
        // The line itself shows every result except *Told*, which takes the person off the list. Therefore only *Told*
        // needs a message that everyone sees.
        if (what !== 'told') return say(`${whoWords(line)}: ${answerWords(what)}`);
        offered.current();
        const told = after.told.find((each) => lineKey(each) === lineKey(line));
        const action = { label: 'Not told', run: () => void takeBack(line, told?.result, further) };
        const dates = further.also ? `, on ${further.also.length + 1} dates` : '';
        offered.current = toast({ text: `${whoWords(line)}: told${dates}`, action });
      }),
      () => stay(line),
    );
  };
  /** Records that a family was told, and that we promised to ring them again by the time that their line names. */
  const ringAgain = (line: CallLine, by: string): Promise<void> =>
    answer(line, 'told', note.trim() || ringWords(by), { ring_by: by });
  const no = useNo({ day, write, choose: act, keepFocus, note: note.trim(), withItsNote });
  /** Takes back that a person was told. `mistaken` is the result that was a mistake. */
  const takeBack = (
    { kind, id }: Pick<CallLine, 'kind' | 'id'>,
    mistaken: string | undefined,
    further: Pick<AnswerBody, 'also'> = {},
  ): Promise<void> =>
    write(() => {
      const which = mistaken === undefined ? {} : { mistaken };
      return sendAnswer({ ...day, kind, id, version: '', answer: 'not-told', ...which, ...further });
    });
  const ring = (line: CallLine): Promise<void> => {
    stayOn(lineKey(line));
    return write(async () => {
      const ringing = newestLine(day, line)?.ringing?.mine !== true;
      await sendClaim({ ...person(line), ringing, ...(ringing && line.ringing ? { take_over: true } : {}) });
      say(ringing ? `You are ringing ${whoWords(line)}` : `You stopped ringing ${whoWords(line)}`);
    });
  };
  const cancel = (line: CallLine, sessions: readonly CallLine['sessions'][number][]): Promise<void> => {
    keepFocus();
    askNo(null);
    take(lineKey(line));
    return write(async () => {
      await cancelForFamily(day, line, sessions);
      const times = listWords([...new Set(sessions.map(windowWords))]);
      toast({ text: `${whoWords(line)}: the session ${times} is cancelled` });
    });
  };
  return { ...at, ...no, leaving, day, choose, answer, ringAgain, takeBack, ring, cancel };
}

export type CallListState = ReturnType<typeof useCallList>;

/**
 * Sends writes one after another, so that the coordinator can press the next key before the previous write is done. If
 * a write fails, shows the failure and reloads the list; later writes are still sent.
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
 * The lines that the keyboard can reach. Lines that are just being saved as told are left out, so that the next key
 * applies to the next person. The page shows such a line until it is saved.
 */
function useLeaving(reply: CallsReply) {
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  return {
    leaving,
    lines: reply.lines.filter((line) => !leaving.has(lineKey(line))),
    leave: (line: CallLine): void => setLeaving((now) => new Set([...now, lineKey(line)])),
    // Waits until the page shows the new list. Otherwise, this line could become the current line again for a moment.
    stay: (line: CallLine): void =>
      notifyManager.schedule(() => setLeaving((now) => new Set([...now].filter((key) => key !== lineKey(line))))),
  };
}
