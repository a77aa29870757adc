/** Front door of the cover engine: problem in, options out; the same rules judge a commit. */
export type * from './problem.ts';
export type { Violation } from './constraints/violation.ts';
export type { CoverModel, Part, Plan, PlanPiece, SessionModel, TherapistModel } from './model.ts';
export { buildModel, NOBODY } from './model.ts';
export { checkPlan, checkSessions, readPlan, scorePlan, writePlan } from './judge.ts';
export { parseProblem } from './parse.ts';
export type { ParsedProblem } from './parse.ts';
export { STRATEGY_LABELS, STRATEGY_ORDER, WEIGHTS } from './strategies.ts';
