/**
 * The score terms, by name. A term's points are whole numbers; less is better.
 */
import type { Term } from '../problem.ts';
import type { Weights } from '../strategies.ts';
import { added } from './soft/added.ts';
import { admin } from './soft/admin.ts';
import { bcba } from './soft/bcba.ts';
import { callin } from './soft/callin.ts';
import { change } from './soft/change.ts';
import { gap } from './soft/gap.ts';
import { known } from './soft/known.ts';
import { lunch } from './soft/lunch.ts';
import { newFace } from './soft/new-face.ts';
import { overload } from './soft/overload.ts';
import { short } from './soft/short.ts';
import { swap } from './soft/swap.ts';
import { taken } from './soft/taken.ts';
import { uncovered } from './soft/uncovered.ts';
import type { PlanView } from './view.ts';

export type ScoreTerm = (view: PlanView, weights: Weights) => number;

export const SCORE_TERMS: Readonly<Record<Term, ScoreTerm>> = {
  uncovered,
  gap,
  change,
  swap,
  short,
  new: newFace,
  known,
  bcba,
  admin,
  taken,
  callin,
  added,
  overload,
  lunch,
};
