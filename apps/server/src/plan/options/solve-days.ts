import type { CoverAnswer, CoverProblem } from '@clinic/cover-engine';
import type { IsoDate } from '@clinic/domain';
import type { ClinicDay } from '../../day/facts/day.ts';
import { withExtra } from '../problem/extra-hours.ts';
import { unheldOf, type PlannedDay, type PlannedExtra } from '../problem/planned-day.ts';
import { allowedPins, toldPins, type ToldDays } from '../problem/told-pins.ts';
import { toProblem, type ToProblemOptions } from '../problem/to-problem.ts';
import { DatesTogether, type MixedDay } from './dates-together.ts';

export interface SolvedAnswer extends CoverAnswer {
  /** Whether the solve may have had less time than usual, so that a new solve could find better options. */
  readonly hurried?: boolean;
  /** Whether this is only Option 1, because other options would take longer. */
  readonly more?: boolean;
}

/** Solves a problem outside the thread that serves requests. */
export type Solve = (problem: CoverProblem, asker?: Asker) => Promise<SolvedAnswer>;

/** The account that sent the request; accounts take turns at the solver. */
export interface Asker {
  readonly account: string;
  /** Aborted when the client closes the connection. */
  readonly gone?: AbortSignal | undefined;
}

export interface SolveDaysInput {
  proposal: string;
  revision: number;
  asker: Asker;
  /** The days to solve, sorted by date. */
  days: readonly ClinicDay[];
  /** Returns the minute up to which a date counts as past; null if no part of it does. */
  cut: (date: string) => number | null;
  /** Returns whether a date is past; if it is, no one needs to be told about changes to it. */
  over: (date: IsoDate) => boolean;
  /**
   * What people were told in telephone calls, by date. Plans keep to it as far as the rules allow, unless `keepTold` is
   * false.
   */
  told?: ReadonlyMap<string, ToldDays>;
  keepTold?: boolean;
  /** Appointments to plan as if they had no therapist, because another therapist was chosen. */
  chosen?: readonly string[];
  /** By date, the extra hours of therapists who were chosen for them and must be asked. */
  extra?: ReadonlyMap<string, readonly PlannedExtra[]>;
  /** Adds a refresh's pins; by default, none. */
  pin?: (planned: PlannedDay) => PlannedDay;
}

/** A day whose problem the engine refused because its pins clash. */
export interface RefusedDay {
  planned: PlannedDay;
  refused: NonNullable<CoverAnswer['refused']>;
}

/**
 * Solves one day after the other; the options of each day affect the later days. Passes on the solver's errors; a day
 * with clashing pins is returned as refused. The result's `more` is true if some dates may have further options.
 */
export async function solveDays(
  solve: Solve,
  input: SolveDaysInput,
): Promise<{ days: MixedDay[]; refused: RefusedDay[]; more: boolean }> {
  const refused: RefusedDay[] = [];
  let more = false;
  const together = new DatesTogether(input);
  for (const day of input.days.slice(1))
    if (input.pin) together.reserve(day, input.pin(plannedDay(input, day, {}, [])));
  for (const day of input.days) {
    const { planned, answer } = await solveDay(solve, input, day, together.before(day.date));
    if (answer.refused) {
      refused.push({ planned, refused: answer.refused });
      continue;
    }
    if (answer.options.length === 0) throw new Error('the engine returned no plan');
    more ||= answer.more === true;
    together.add(day, planned, () => plannedDay(input, day, {}, unheldOf(planned)).problem, answer);
  }
  return { days: together.days, refused, more };
}

/** What the other dates of the proposal change in a day's problem. */
type Earlier = Pick<ToProblemOptions, 'extraTeam' | 'added'>;

/**
 * Solves a day with pins for what people were told. These pins are left out if they clash with a refresh's pins,
 * because a coordinator's selection takes precedence.
 */
async function solveDay(
  solve: Solve,
  input: SolveDaysInput,
  day: ClinicDay,
  earlier: Earlier,
): Promise<{ planned: PlannedDay; answer: SolvedAnswer }> {
  const { pin = (planned) => planned } = input;
  const solved = async (planned: PlannedDay) => ({
    planned,
    answer: needsSolving(planned) ? withoutCalls(planned, await solve(planned.problem, input.asker)) : asBooked(),
  });
  const planWith = (unheld: readonly string[]): PlannedDay => plannedDay(input, day, earlier, unheld);
  const plain = planWith([]);
  const told = input.told?.get(day.date);
  if (!told || told.size === 0) return solved(pin(plain));
  const people = { people: told.size, unheld: [] };
  if (input.keepTold !== false) {
    const kept = await solved(pin(withTold(plain, told, planWith)));
    if (!kept.answer.refused) return kept;
  }
  return solved(pin({ ...plain, told: { ...people, kept: false } }));
}

/** A day's problem without pins. */
function plannedDay(input: SolveDaysInput, day: ClinicDay, earlier: Earlier, unheld: readonly string[]): PlannedDay {
  const chosen = input.chosen ?? [];
  const problem = toProblem(day, { ...earlier, now: input.cut(day.date), unheld: [...unheld, ...chosen] });
  const planned = withExtra(withChosen(problem, chosen), input.extra?.get(day.date) ?? []);
  return input.over(day.date) ? { ...planned, over: true } : planned;
}

/**
 * Returns the day with pins for what people were told. A family that was told of another therapist keeps that
 * therapist, even if the original therapist is back.
 */
function withTold(plain: PlannedDay, told: ToldDays, planWith: (unheld: readonly string[]) => PlannedDay): PlannedDay {
  const unheld = toldPins(plain, told).flatMap(({ session, pieces }) => {
    const of = plain.sessions.find((s) => s.id === session);
    const other = of?.rows[0]?.therapistId === null && pieces.some((p) => p.therapist !== of.therapistId);
    return other ? [session] : [];
  });
  const planned = unheld.length === 0 ? plain : planWith(unheld);
  const pins = [...(planned.problem.pins ?? []), ...allowedPins(planned, toldPins(planned, told))];
  const kept = { people: told.size, kept: true, unheld };
  return { ...planned, problem: { ...planned.problem, pins }, told: kept };
}

/**
 * For a past day, removes the option of the strategy `fewest-calls`, because no one is called about a past day. Option
 * 1 is always balanced, so at least one option is left.
 */
const withoutCalls = (planned: PlannedDay, answer: SolvedAnswer): SolvedAnswer =>
  planned.over ? { ...answer, options: answer.options.filter((o) => o.strategy !== 'fewest-calls') } : answer;

/** Records for which sessions a therapist was chosen, so that refreshes and the commit plan them in the same way. */
function withChosen(planned: PlannedDay, keys: readonly string[]): PlannedDay {
  const chosen = planned.sessions.filter((s) => s.rows.some((row) => keys.includes(row.key))).map((s) => s.id);
  return chosen.length === 0 ? planned : { ...planned, chosen };
}

/** Whether solving could improve the day. It cannot if no part is affected and no pin moves a session. */
const needsSolving = (planned: PlannedDay): boolean =>
  planned.sessions.some((s) => s.grid !== null && s.parts.some((p) => p.affected)) ||
  planned.problem.pins?.some((pin) => pinMoves(planned, pin.session)) === true;

function pinMoves(planned: PlannedDay, id: string): boolean {
  const session = planned.sessions.find((s) => s.id === id);
  const pin = planned.problem.pins?.find((p) => p.session === id);
  return pin?.pieces.some((p) => p.therapist !== session?.therapistId) ?? false;
}

const asBooked = (): SolvedAnswer => ({
  format: 'cover-options/1',
  options: [{ strategy: 'balanced', proven: true, bound: 0, score: { total: 0 }, sessions: [] }],
});
