/** The cover engine: it takes a problem and returns options. Commits are checked by the same rules. */
export type * from './answer.ts';
export type * from './problem.ts';
export type { Violation } from './constraints/violation.ts';
export type { CoverModel, Plan } from './model.ts';
export { buildModel } from './build-model.ts';
export { checkPlan, checkSessions, readPlan, scorePlan } from './judge.ts';
export { parseProblem } from './parse.ts';
export { MOST_OPTIONS, placeOption, STRATEGIES, STRATEGY_ORDER, type Lead } from './strategies.ts';
export { byCost, choiceIfWider, choicesFor, type Choice } from './explain/choices.ts';
export { compareOptions } from './explain/compare.ts';
export { optionFigures } from './explain/figures.ts';
export { nearlySame } from './explain/nearly-same.ts';
export { findPiece, uncoveredStretches } from './explain/place.ts';
export { coveringOf, whatItWouldTake, type MustCover, type SolveCovering } from './explain/what-it-takes.ts';
export { notThenWords, whyNobody, type WhyNobody } from './explain/why-nobody.ts';
export { whyThisTherapist } from './explain/why-therapist.ts';
export { solve, toAnswer } from './solve.ts';
export { loadHighs } from './load-highs.ts';
