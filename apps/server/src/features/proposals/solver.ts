import type { CoverAnswer, CoverProblem, SolveCovering } from '@clinic/cover-engine';
import type { Deps } from '../../platform/deps.ts';
import type { Solve } from './solve-days.ts';
export function solverOf(_deps: Deps): { solve: Solve; solveCovering: SolveCovering } {
  return {
    solve: (_p: CoverProblem): Promise<CoverAnswer> => Promise.reject(new Error('none')),
    solveCovering: () => null,
  };
}
