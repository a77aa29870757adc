import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many times a scenario is repeated: in an ordinary test run (`ci`), and in a long run (`npm run soak`). */
export interface Dose {
  readonly what: string;
  readonly ci: number;
  readonly long: number;
}

/** All scenarios that can run long, by the name that `npm run soak` accepts. `bench/soak.ts` knows their files. */
export const DOSES = {
  'racing-submits': { what: 'racing commits over 4 processes', ci: 300, long: 100_000 },
  skew: { what: 'two transactions that are each right alone, interleaved', ci: 96, long: 20_000 },
  'cut-replies': { what: 'commits retried with the reply cut at a random byte', ci: 24, long: 5000 },
  'tampered-proposals': { what: 'stale or tampered proposals sent', ci: 280, long: 20_000 },
  'kills-server': { what: 'SIGKILL of the server in the middle of commits', ci: 2, long: 350 },
  'kills-database': { what: 'SIGKILL of the database in the middle of commits', ci: 3, long: 150 },
  calls: { what: 'random changes and answers, each call list compared with the model', ci: 60, long: 5000 },
  'call-lines': { what: 'the same without the database', ci: 2000, long: 100_000 },
  release: { what: 'releases and answers by two coordinators over 4 processes', ci: 16, long: 5000 },
  'kills-release': { what: 'SIGKILL of server, database or mail server in mid-release', ci: 6, long: 300 },
  'random-use': { what: 'random acts compared with the model', ci: 300, long: 100_000 },
  'malformed-requests': { what: 'malformed requests from the OpenAPI document', ci: 2400, long: 1_000_000 },
  'hostile-workbooks': { what: 'workbooks from hostile names', ci: 300, long: 5000 },
  'one-account': { what: 'acts of one account that asks for all it can, beside another', ci: 500, long: 20_000 },
  'import-as-weapon': { what: 'hostile files imported', ci: 18, long: 2000 },
  locations: { what: 'acts of accounts with rights at other locations', ci: 60, long: 20_000 },
  offers: { what: 'weekly times that were offered, booked in the same state', ci: 24, long: 1000 },
  makeups: { what: 'lost time made up as proposed, in the same state', ci: 5, long: 1000 },
  leaves: { what: 'acts on absences over dates, and their undo, compared with a model', ci: 80, long: 20_000 },
  weeks: {
    what: 'acts on leaves, replacements, closures and calls, each compared with what it said and with its undo',
    ci: 60,
    long: 100_000,
  },
  mixes: { what: 'random days whose mixes of options are submitted', ci: 5, long: 500 },
  'week-mixes': { what: 'the same over two dates of a tight week', ci: 4, long: 200 },
  recount: { what: 'random acts of a desk, every ledger counted again', ci: 60, long: 3000 },
  'bad-solvers': { what: 'solvers that die, hang or answer nonsense', ci: 10, long: 500 },
} as const satisfies Record<string, Dose>;

export type ScenarioName = keyof typeof DOSES;

/**
 * How many times this run repeats a scenario: few by default, many with `DOSE=long`, and any number with `DOSE=number`.
 */
export function doseOf(name: ScenarioName): number {
  const asked = process.env['DOSE'] ?? 'ci';
  if (asked === 'ci' || asked === 'long') return DOSES[name][asked];
  const count = Number(asked);
  if (!Number.isInteger(count) || count < 1) throw new Error(`DOSE is '${asked}'; it must be ci, long or a number.`);
  return count;
}

/**
 * How many random cases a property tries in an ordinary run: a third of `most`, or all with `DOSE=long`. The cases are
 * the same in every run where a seed is set, so an ordinary run needs no more than find a planted fault.
 */
export const repeats = (most: number): number => (process.env['DOSE'] === 'long' ? most : Math.ceil(most / 3));

/**
 * A scenario's time limit in milliseconds: ten minutes, or more if each repeat may take `eachMs` on a busy machine.
 * Only a scenario that hangs reaches it.
 */
export const timeLimit = (count: number, eachMs: number): number => Math.max(600_000, count * eachMs);

/** The seed of this run's random choices; the variable `SEED` overrides it. */
export const seedOfRun = (): number => Number(process.env['SEED'] ?? 20_261_120);

/** Saves a scenario's figures for the table of the long run, if `SOAK_RESULTS` names a folder. */
export function keepFigures(
  name: ScenarioName,
  count: number,
  began: number,
  figures: Record<string, number | string>,
): void {
  const folder = process.env['SOAK_RESULTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const result = { name, count, seconds: Math.round((performance.now() - began) / 1000), at: new Date(), figures };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** Settings of a test's application that keep its users logged in through a long run. */
export const LASTING = { tokenMinutes: 1440, idleMinutes: 1440, sessionHours: 168 } as const;
/** The same settings for a server in its own process. */
export const LASTING_SETTINGS = { TOKEN_MINUTES: '1440', IDLE_MINUTES: '1440', SESSION_HOURS: '168' } as const;
