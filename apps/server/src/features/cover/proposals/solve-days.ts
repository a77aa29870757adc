import type { CoverAnswer, CoverProblem } from '@clinic/cover-engine';
import type { ClinicDay } from '../../../clinic-day/day.ts';
import type { PlannedDay } from '../plan/planned-day.ts';
import { segmentsOf, statusOf } from '../plan/segments.ts';
import { toProblem } from '../plan/to-problem.ts';
import { dayOptions, type DayOptions } from './day-options.ts';

/** Solves one problem off the thread that serves requests. */
export type Solve = (problem: CoverProblem, asker?: Asker) => Promise<CoverAnswer>;

/** The account that asks, for its turn at the solver. */
export interface Asker {
  readonly account: string;
  /** Aborted when they hang up. */
  readonly gone?: AbortSignal | undefined;
}

export interface SolveDaysInput {
  proposal: string;
  revision: number;
  asker: Asker;
  /** In order of date. */
  days: readonly ClinicDay[];
  /** In minutes: where a date is cut at the present; null: not cut. */
  cut: (date: string) => number | null;
  /** Adds a refresh's pins; by default none. */
  pin?: (planned: PlannedDay) => PlannedDay;
}

/** A day whose problem the engine refused, because its pins clash. */
export interface RefusedDay {
  planned: PlannedDay;
  refused: NonNullable<CoverAnswer['refused']>;
}

/**
 * Solves the days one after another. Therapists who cover for a client in an earlier day's first option count as team
 * on later days. Throws what the solver throws; days with clashing pins come back as refused.
 */
export async function solveDays(
  solve: Solve,
  input: SolveDaysInput,
): Promise<{ days: DayOptions[]; refused: RefusedDay[] }> {
  const days: DayOptions[] = [];
  const refused: RefusedDay[] = [];
  const extraTeam = new Map<string, Set<string>>();
  for (const day of input.days) {
    const plain = toProblem(day, { now: input.cut(day.date), extraTeam });
    const planned = input.pin ? input.pin(plain) : plain;
    const answer = needsSolving(planned) ? await solve(planned.problem, input.asker) : asBooked();
    if (answer.refused) {
      refused.push({ planned, refused: answer.refused });
      continue;
    }
    if (answer.options.length === 0) throw new Error('the engine answered no plan');
    const options = dayOptions(planned, answer, input.proposal, input.revision);
    days.push(options);
    rememberCover(options, extraTeam);
  }
  return { days, refused };
}

/** Without an affected part, leaving everything as it is costs nothing and cannot be improved. */
const needsSolving = (planned: PlannedDay): boolean =>
  planned.sessions.some((s) => s.grid !== null && s.parts.some((p) => p.affected)) ||
  planned.problem.pins?.some((pin) => pinMoves(planned, pin.session)) === true;

function pinMoves(planned: PlannedDay, id: string): boolean {
  const session = planned.sessions.find((s) => s.id === id);
  const pin = planned.problem.pins?.find((p) => p.session === id);
  return pin?.pieces.some((p) => p.therapist !== session?.therapistId) ?? false;
}

const asBooked = (): CoverAnswer => ({
  format: 'cover-options/1',
  options: [{ strategy: 'balanced', proven: true, bound: 0, score: { total: 0 }, sessions: [] }],
});

function rememberCover(options: DayOptions, extraTeam: Map<string, Set<string>>): void {
  const first = options.stored.options[0];
  for (const session of options.stored.planned.sessions) {
    for (const s of segmentsOf(session, first?.pieces[session.id])) {
      const status = statusOf(session, s);
      if (s.therapistId === null || s.past || (status !== 'Cover' && status !== 'Swap')) continue;
      for (const row of session.rows) {
        const team = extraTeam.get(row.clientId) ?? new Set<string>();
        extraTeam.set(row.clientId, team.add(s.therapistId));
      }
    }
  }
}
