/**
 * The hard rules by name, in the order of their numbers in the design. Every option and every commit is checked against
 * them.
 */
import { available } from './hard/available.ts';
import { boundary } from './hard/boundary.ts';
import { cap } from './hard/cap.ts';
import { division } from './hard/division.ts';
import { mayServe } from './hard/may-serve.ts';
import { neighbours } from './hard/neighbours.ts';
import { notice } from './hard/notice.ts';
import { onePlace } from './hard/one-place.ts';
import { people } from './hard/people.ts';
import { pieceLength } from './hard/piece-length.ts';
import { pins } from './hard/pins.ts';
import { present } from './hard/present.ts';
import { unaffected } from './hard/unaffected.ts';
import { wholeServices } from './hard/whole-services.ts';
import type { PlanView } from './view.ts';
import type { Violation } from './violation.ts';

export type HardRule = (view: PlanView) => Violation[];

export const HARD_RULES = {
  division,
  unaffected,
  present,
  available,
  mayServe,
  wholeServices,
  pieceLength,
  people,
  neighbours,
  boundary,
  onePlace,
  pins,
  notice,
  cap,
} satisfies Readonly<Record<string, HardRule>>;
export type HardRuleName = keyof typeof HARD_RULES;
