/**
 * Runs CP-SAT (OR-Tools from PyPI, Apache-2.0) as a rival to the engine, in a virtual environment under `.cache`. Only
 * the benchmark uses it, and only if Python is installed; it is not a dependency of the product.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CoverProblem, Strategy } from '@clinic/cover-engine';
import { JUDGE_STRATEGIES, type JudgeHeld } from '../../packages/cover-engine/src/proof/judge-model.ts';
import { coverProgram } from './cover-program.ts';

const VERSION = 'ortools==9.15.6755';
const folder = fileURLToPath(new URL('../../.cache/rivals', import.meta.url));
const python = `${folder}/bin/python`;
const script = fileURLToPath(new URL('cp_sat.py', import.meta.url));
/** The program of the largest day takes about as many bytes in JSON. */
const MOST_BYTES = 500_000_000;

export interface RivalAnswer {
  strategy: Strategy;
  /** Processor time of the solve in milliseconds, not counting the time to make and read the program. */
  ms: number;
  /** The score with the lead's points, as the engine counts them; null when no plan was found in time. */
  score: number | null;
  proven: boolean;
}

const works = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Whether CP-SAT can be used; installs it the first time. False without Python or without a package registry. */
export function hasCpSat(): boolean {
  if (existsSync(python) && works(python, ['-c', 'import ortools'])) return true;
  return works('python3', ['-m', 'venv', folder]) && works(python, ['-m', 'pip', 'install', '--quiet', VERSION]);
}

/**
 * Solves a day for these strategies, on one thread, each for at most `seconds` of processor time. `held` is what the
 * engine's Option 1 has of each limited term, so that both solve the same problem. Ignores the day's pins.
 */
export function cpSat(
  problem: CoverProblem,
  strategies: readonly Strategy[],
  held: JudgeHeld,
  seconds: number,
): RivalAnswer[] {
  const program = coverProgram({ ...problem, pins: [] });
  const asked = strategies.map((name) => ({ name, ...JUDGE_STRATEGIES[name] }));
  const input = JSON.stringify({ program, strategies: asked, held, seconds });
  const { stdout, status, stderr } = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: MOST_BYTES });
  if (status !== 0) throw new Error(`CP-SAT failed: ${stderr.slice(-500)}`);
  return JSON.parse(stdout) as RivalAnswer[];
}
