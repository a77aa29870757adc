import { SLOT_MINUTES } from '@clinic/domain';
import type { Shift } from './moving.ts';

const HOUR = 60;

/** How far an arrow key moves, and what. */
export function arrowOf({ key, ctrlKey, altKey, shiftKey }: KeyboardEvent): Shift | null {
  const sideways = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  const rows = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
  if (sideways === 0 && rows === 0) return null;
  if (ctrlKey && altKey)
    return sideways === 0 ? null : { minutes: sideways * SLOT_MINUTES, part: shiftKey ? 'start' : 'end' };
  return { minutes: sideways * (shiftKey ? HOUR : SLOT_MINUTES), rows, part: 'whole' };
}
