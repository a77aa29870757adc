/**
 * Runs the engine on the days with known best scores. The independent checker checks every plan, and an option that the
 * engine calls proven must have the best score. Prints Markdown. `--seconds N`: time for each day, 120 by default.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { loadHighs, solve, toAnswer } from '@clinic/cover-engine';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { knownDays, missedScores, type DayFile, type KnownDay } from '../packages/cover-engine/src/proof/known-days.ts';
import { limitProcessorTime, machine, milliseconds, now, spread, spreadText, table } from './figures.ts';

const folder = new URL('../packages/cover-engine/fixtures/', import.meta.url);
const SECONDS = 120;

/** Solves a day; returns its row in the table, how long the solve took, and the errors in the answer. */
async function measure(day: KnownDay, seconds: number): Promise<{ row: string[]; ms: number; faults: string[] }> {
  const highs = await loadHighs();
  const start = now();
  const answer = toAnswer(solve(day.problem, { highs, options: 6, left: () => seconds - (now() - start) / 1000 }));
  const ms = now() - start;
  const faults = judgeAnswer(day.problem, answer);
  const missed = missedScores(day, answer.options);
  const unproven = answer.options.filter((o) => !o.proven && o.strategy !== 'alternative');
  if (unproven.length === 0) faults.push(...missed);
  const row = [
    day.name,
    milliseconds(ms),
    String(answer.options.length),
    unproven.map((o) => `${o.strategy} ${o.score.total}, at least ${o.bound ?? 0}`).join('; ') || 'none',
    missed.join('; ') || 'none',
  ];
  return { row, ms, faults: faults.map((fault) => `${day.name}: ${fault}`) };
}

/** Solves every day; true when no answer had an error and every proven score was the best. */
export async function benchBest(flags: readonly string[]): Promise<boolean> {
  if (flags.includes('--cpu')) limitProcessorTime();
  const at = flags.indexOf('--seconds');
  const seconds = at < 0 ? SECONDS : Number(flags[at + 1]);
  const days = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      knownDays(file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as DayFile),
    );
  console.log(`## Days with known best scores\n\n${machine()}. ${days.length} days, ${seconds} s each.\n`);
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (const day of days) measured.push(await measure(day, seconds));
  console.log(
    table(
      ['Day', 'ms', 'Options', 'Unproven', 'Best score missed'],
      measured.map((m) => m.row),
    ),
  );
  console.log(`\nMilliseconds, median / 95 % / worst: ${spreadText(spread(measured.map((m) => m.ms)))}.`);
  const faults = measured.flatMap((m) => m.faults);
  console.log(faults.length === 0 ? '\nNo problems.' : `\n${faults.length} problems:\n${faults.join('\n')}`);
  return faults.length === 0;
}
