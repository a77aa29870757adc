/**
 * Solves problems that nobody here made: public instances of personnel task scheduling, written as cover problems. They
 * are not in the repository: `--data FOLDER` says where they are. `index.json` there names, for each instance, the
 * points that no plan can avoid (`constant`) and the fewest workers, where these are proven. Prints Markdown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadHighs, solve, toAnswer, type CoverProblem } from '@clinic/cover-engine';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { limitProcessorTime, machine, milliseconds, now, spread, spreadText, table } from './figures.ts';

/** The processor time for each instance. */
const SECONDS = 10;
const POINTS_A_WORKER = 100;
const QUICK_EVERY = 5;

interface Known {
  readonly constant: number;
  readonly fewest_workers: number | null;
}

async function measure(folder: string, name: string, { constant, fewest_workers }: Known) {
  const problem = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as CoverProblem;
  const highs = await loadHighs();
  const start = now();
  const left = (): number => SECONDS - (now() - start) / 1000;
  const answer = toAnswer(solve(problem, { highs, options: 1, strategies: ['balanced'], left }));
  const ms = now() - start;
  const [option] = answer.options;
  const workers = (points: number | null | undefined): number => ((points ?? 0) - constant) / POINTS_A_WORKER;
  const found = workers(option?.score.total);
  const least = Math.max(0, Math.ceil(workers(option?.bound)));
  const proven = option?.proven ?? false;
  const faults = judgeAnswer(problem, answer);
  if (proven && fewest_workers !== null && found !== fewest_workers)
    faults.push(`proves ${found}, not ${fewest_workers}`);
  const row = [
    name,
    String(fewest_workers ?? 'open'),
    String(found),
    String(least),
    proven ? 'yes' : 'no',
    milliseconds(ms),
  ];
  return { row, ms, proven, faults: faults.map((fault) => `${name}: ${fault}`) };
}

/** Solves every instance, or with `--quick` every fifth; true when no answer had an error. */
export async function benchForeign(flags: readonly string[]): Promise<boolean> {
  const at = flags.indexOf('--data');
  const folder = at < 0 ? undefined : flags[at + 1];
  if (!folder) {
    console.log(
      'The instances are not part of the repository. Say where they are: npm run bench -- foreign --data FOLDER',
    );
    return false;
  }
  limitProcessorTime();
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Readonly<Record<string, Known>>;
  const names = Object.keys(index).filter((_, i) => !flags.includes('--quick') || i % QUICK_EVERY === 0);
  console.log(`## Fixed tasks, fewest workers\n\n${machine()}. ${names.length} instances, ${SECONDS} s each.\n`);
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (const name of names) measured.push(await measure(folder, name, index[name]!));
  console.log(
    table(
      ['Instance', 'Fewest known', 'Ours', 'At least', 'Proven', 'ms'],
      measured.map(({ row }) => row),
    ),
  );
  const proven = measured.filter((m) => m.proven).length;
  console.log(
    `\nProven: ${proven} of ${names.length}. Milliseconds: ${spreadText(spread(measured.map((m) => m.ms)))}.`,
  );
  const faults = measured.flatMap((m) => m.faults);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}
