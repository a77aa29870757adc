/**
 * Runs CP-SAT (OR-Tools from PyPI, Apache-2.0) as a rival to the engine, in a virtual environment under `.cache`. Only
 * the benchmark uses it, and only if Python is installed; it is not a dependency of the product.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CoverProblem } from '@clinic/cover-engine';
import { plainMilp } from '../../packages/cover-engine/src/proof/plain-milp.ts';

const VERSION = 'ortools==9.15.6755';
const folder = fileURLToPath(new URL('../../.cache/rivals', import.meta.url));
const python = `${folder}/bin/python`;
const script = fileURLToPath(new URL('cp_sat.py', import.meta.url));

export interface RivalAnswer {
  /** Processor time of the solve in milliseconds, not counting the time to read the program. */
  ms: number;
  /**
   * The score without the extra points for the term that a strategy puts first; null when no plan was found in time.
   */
  score: number | null;
  proven: boolean;
}

const works = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Whether CP-SAT can be used; installs it the first time. False without Python or without a package registry. */
export function hasCpSat(): boolean {
  if (existsSync(python) && works(python, ['-c', 'import ortools'])) return true;
  return works('python3', ['-m', 'venv', folder]) && works(python, ['-m', 'pip', 'install', '--quiet', VERSION]);
}

/** Solves a day as one plain integer program, on one thread, for the same score as Option 1. Ignores the day's pins. */
export function cpSat(problem: CoverProblem, seconds: number): RivalAnswer {
  const input = plainMilp({ ...problem, pins: [] }, 'balanced');
  const { stdout, status, stderr } = spawnSync(python, [script, String(seconds)], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`CP-SAT failed: ${stderr.slice(-500)}`);
  return JSON.parse(stdout) as RivalAnswer;
}
