/** Computes at which times, and with whom, an open part may have pieces. The result does not change during a search. */
import { HALF_HOUR } from '../limits.ts';
import type { Part } from '../model.ts';
import { SLOTS } from '../slots.ts';
import type { Instance } from './instance.ts';
import { candidatesOf, hasNotice } from './instance.ts';

/** Times are offsets from the part's start; `width` is one more than the part's length. */
export interface PieceLayout {
  /** The therapists, other than the booked one, who may serve the part and have time in at least one of its slots. */
  readonly candidates: readonly number[];
  /** The moments at which a piece may start or end, in order. */
  readonly nodes: readonly number[];
  /** At [candidate × length + slot]: whether the candidate may have a piece in that slot. */
  readonly ok: Uint8Array;
  /**
   * At [candidate × width + moment]: whether one of the candidate's pieces may start at that moment, and whether one
   * may end then.
   */
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  /** At [candidate × length + slot]: 1 if the slot is a free lunch slot of the candidate. */
  readonly lunch: Uint8Array;
  /**
   * Like `ok`, `starts`, `ends` and `lunch`, for the booked therapist. This therapist's pieces may end wherever they
   * may start, so `ownMarks` takes the place of both `starts` and `ends`.
   */
  readonly ownOk: Uint8Array;
  readonly ownMarks: Uint8Array;
  readonly ownLunch: Uint8Array;
}

/** Works out where pieces of this part may begin and end, and which therapists may take them. */
export function layOut(instance: Instance, part: Part): PieceLayout {
  const { model, hard, lunchFree } = instance;
  const length = part.to - part.from;
  const width = length + 1;
  const booked = model.therapists[part.booked];
  const candidates = candidatesOf(model, hard, part);
  const isNode = new Uint8Array(width);
  isNode[0] = isNode[length] = 1;
  /** Rule 5: whether a piece may start or end at this moment. `events` marks when its therapist comes or goes. */
  const isMark = (at: number, events?: Uint8Array): boolean =>
    at === 0 ||
    at === length ||
    (part.from + at) % HALF_HOUR === 0 ||
    events?.[part.from + at] === 1 ||
    booked?.events[part.from + at] === 1;
  const ok = new Uint8Array(candidates.length * length);
  const starts = new Uint8Array(candidates.length * width);
  const ends = new Uint8Array(candidates.length * width);
  const lunch = new Uint8Array(candidates.length * length);
  candidates.forEach((index, c) => {
    const t = model.therapists[index]!;
    for (let k = 0; k < length; k++) {
      ok[c * length + k] = t.free[part.from + k] && !hard[index * SLOTS + part.from + k] ? 1 : 0;
      lunch[c * length + k] = lunchFree[index * SLOTS + part.from + k]!;
    }
    for (let at = 0; at <= length; at++) {
      const wholeOnly = part.session.service !== 'direct' && at > 0 && at < length;
      if (wholeOnly || !isMark(at, t.events)) continue;
      ends[c * width + at] = 1;
      if (hasNotice(model, index, part.from + at)) starts[c * width + at] = 1;
      isNode[at] = 1;
    }
  });
  const ownOk = new Uint8Array(length);
  const ownLunch = new Uint8Array(length);
  const ownMarks = new Uint8Array(width);
  if (booked) {
    for (let k = 0; k < length; k++) {
      ownOk[k] = hard[booked.index * SLOTS + part.from + k] ? 0 : 1;
      ownLunch[k] = lunchFree[booked.index * SLOTS + part.from + k]!;
    }
    for (let at = 0; at <= length; at++) {
      if (!isMark(at)) continue;
      ownMarks[at] = 1;
      isNode[at] = 1;
    }
  }
  const nodes = [...isNode.keys()].filter((at) => isNode[at]);
  return { candidates, nodes, ok, starts, ends, lunch, ownOk, ownMarks, ownLunch };
}
