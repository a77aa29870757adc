/** Where booked sessions that can move are in the way of an open part. */
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import type { Instance } from './instance.ts';
import type { PricingGraph } from './pricing-graph.ts';

/** A slot of a person who may serve an open part, in which a movable session is booked with that person. */
export interface InTheWay {
  /** Therapist × 48 + slot. */
  readonly at: number;
  /** The session's index in `movable`. */
  readonly movable: number;
  /** At [candidate × length + slot of the part] in the part's graph; -1 for the part's own booked therapist. */
  readonly cell: number;
  /** Whether the session begins in this slot. */
  readonly begins: boolean;
}

/** Lists all slots in which a session is in the way of the part of this graph. */
export function slotsInTheWay(
  { stays, movable, movableOf }: Instance,
  { part, length, candidates }: PricingGraph,
): InTheWay[] {
  const found: InTheWay[] = [];
  const look = (therapist: number, c: number): void => {
    for (let k = 0; k < length; k++) {
      const at = therapist * SLOTS + part.from + k;
      for (const stay of stays[at] ?? []) {
        const m = movableOf[stay]!;
        const begins = movable[m]!.part.from === part.from + k;
        found.push({ at, movable: m, cell: c < 0 ? -1 : c * length + k, begins });
      }
    }
  };
  candidates.forEach(look);
  if (part.booked !== NOBODY) look(part.booked, -1);
  return found;
}
