/** The weeks engine: replacements for weeks, times for new sessions, and lost time made up, each with a proof. */
export type * from './answer.ts';
export { checkGiven, type BrokenDate } from './check.ts';
export { STRATEGIES, type Strategy } from './points.ts';
export { solveWeeks } from './solve.ts';
