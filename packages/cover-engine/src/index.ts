/** Front door of the cover engine: problem in, options out; the same rules judge a commit. */
export type * from './problem.ts';
export type { Violation } from './constraints/violation.ts';
export type { CoverModel, Part, Plan, PlanPiece, SessionModel, TherapistModel } from './model.ts';
export { buildModel } from './build-model.ts';
export { NOBODY } from './model.ts';
export { checkPlan, checkSessions, readPlan, scorePlan, writePlan } from './judge.ts';
export { parseProblem } from './parse.ts';
export type { ParsedProblem } from './parse.ts';
export { STRATEGY_LABELS, STRATEGY_ORDER, WEIGHTS } from './strategies.ts';
export { planChanges, type PlanChange } from './explain/changes.ts';
export { compareOptions, comparePlans, type Comparison } from './explain/compare.ts';
export { planFigures, type PlanFigures } from './explain/figures.ts';
export { findPiece, uncoveredStretches, type PieceRef, type Stretch } from './explain/place.ts';
export {
  coveringOf,
  whatItWouldTake,
  type Covering,
  type MustCover,
  type SolveCovering,
  type WhatItTakes,
} from './explain/what-it-takes.ts';
export { BARS, whyNobody, type Bar, type BarGroup, type WhyNobody } from './explain/why-nobody.ts';
export type { NextBest } from './explain/next-best.ts';
export { whyThisTherapist, type Reason, type WhyTherapist } from './explain/why-therapist.ts';
export type { Solved, SolvedOption, SolveSettings } from './solve.ts';
export { solve, toAnswer } from './solve.ts';
export { loadHighs } from './load-highs.ts';
export { claimsOf, planClaims } from './footprint.ts';
export type { Figures, Reserve } from './figures.ts';
export { figuresOf, reserveOf } from './figures.ts';
