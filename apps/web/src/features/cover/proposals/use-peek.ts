import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type SyntheticEvent } from 'react';
import type { SlotsReply } from '@clinic/contract';
import type { ProposalState } from './model.ts';
import { peekDay } from './peek.ts';

/** The calendar with a change applied, and the words to say with it. */
export interface Peeked {
  of: (day: SlotsReply) => SlotsReply;
  words: string;
}
/** Shows that calendar; null shows the calendar as it is. */
export type ShowPeek = (peeked: Peeked | null) => void;

const WORDS = 'The calendar with these choices. Nothing is submitted yet.';

const KEY = 'p';

/** A press of the button that ends sooner is a click: the calendar then stays until the next press or key. */
const CLICK_MS = 300;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/**
 * While the P key or the *Peek* button is held down, the options are hidden and the calendar shows the day with the
 * choices applied. After a click on the button, they stay hidden until the next press of a button or key.
 */
export function usePeek(state: ProposalState, possible: boolean, show: ShowPeek) {
  const [held, setHeld] = useState(false);
  const [stays, setStays] = useState(false);
  const pressed = useRef(0);
  const peeking = (held || stays) && possible;
  useEffect(() => {
    const down = (event: globalThis.KeyboardEvent): void => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (plain && event.key.toLowerCase() === KEY) setHeld(true);
    };
    const up = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() === KEY) setHeld(false);
    };
    const stop = new AbortController();
    document.addEventListener('keydown', down, { signal: stop.signal });
    document.addEventListener('keyup', up, { signal: stop.signal });
    window.addEventListener('blur', () => setHeld(false), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  useEffect(() => {
    if (!stays) return undefined;
    // The press that ends it does nothing else: what is under the pointer cannot be seen.
    const back = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      setStays(false);
    };
    const stop = new AbortController();
    for (const press of ['pointerdown', 'keydown'])
      document.addEventListener(press, back, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, [stays]);
  useEffect(() => {
    if (!peeking) return;
    show({ of: (day) => peekDay(day, state), words: stays ? `${WORDS} Click or press a key to go back.` : WORDS });
    return () => show(null);
  }, [peeking, stays, state, show]);

  const isPress = (event: KeyboardEvent): boolean => event.key === 'Enter' || event.key === ' ';
  const begin = (at: number): void => {
    pressed.current = at;
    setHeld(true);
  };
  const release = ({ timeStamp }: SyntheticEvent): void => {
    setHeld(false);
    if (held && timeStamp - pressed.current < CLICK_MS) setStays(true);
  };
  const end = (): void => setHeld(false);
  return {
    possible,
    peeking,
    stays: stays && possible,
    button: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begin(event.timeStamp);
      },
      onPointerUp: release,
      onPointerCancel: end,
      onKeyDown: (event: KeyboardEvent) => {
        if (isPress(event) && !event.repeat) begin(event.timeStamp);
      },
      onKeyUp: release,
      onBlur: end,
    },
  };
}

export type Peek = ReturnType<typeof usePeek>;
