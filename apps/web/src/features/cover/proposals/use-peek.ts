import { useEffect, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { SlotsReply } from '@clinic/contract';
import type { ProposalState } from './model.ts';
import { peekDay } from './peek.ts';

/** Shows the calendar with a change applied; null shows the calendar as it is. */
export type ShowPeek = (change: ((day: SlotsReply) => SlotsReply) | null) => void;

const KEY = 'p';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/**
 * While the P key or the *Peek* button is held down, the options are hidden and the calendar shows the day with the
 * choices applied.
 */
export function usePeek(state: ProposalState, possible: boolean, show: ShowPeek) {
  const [held, setHeld] = useState(false);
  const peeking = held && possible;
  useEffect(() => {
    const down = (event: globalThis.KeyboardEvent): void => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (plain && event.key.toLowerCase() === KEY) setHeld(true);
    };
    const up = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() === KEY) setHeld(false);
    };
    const end = (): void => setHeld(false);
    document.addEventListener('keydown', down);
    document.addEventListener('keyup', up);
    window.addEventListener('blur', end);
    return () => {
      document.removeEventListener('keydown', down);
      document.removeEventListener('keyup', up);
      window.removeEventListener('blur', end);
    };
  }, []);
  useEffect(() => {
    if (!peeking) return;
    show((day) => peekDay(day, state));
    return () => show(null);
  }, [peeking, state, show]);

  const isPress = (event: KeyboardEvent): boolean => event.key === 'Enter' || event.key === ' ';
  const end = (): void => setHeld(false);
  return {
    possible,
    peeking,
    button: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(true);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onKeyDown: (event: KeyboardEvent) => {
        if (isPress(event)) setHeld(true);
      },
      onKeyUp: end,
      onBlur: end,
    },
  };
}

export type Peek = ReturnType<typeof usePeek>;
