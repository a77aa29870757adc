import { buildModel, checkSessions, type CoverAnswer, type CoverProblem, type Piece } from '@clinic/cover-engine';
import { minutesOf, mondayOf, pushTo, subtract, union, type Interval, type IsoDate } from '@clinic/domain';
import type { ClinicDay } from '../../../clinic-day/day.ts';
import { awayWindows } from '../../../clinic-day/uncovered.ts';
import type { PlannedDay } from '../plan/planned-day.ts';
import { segmentsOf } from '../plan/segments.ts';
import { capAfter } from '../plan/to-problem.ts';

type Option = CoverAnswer['options'][number];
/** Minutes by therapist. */
type Minutes = ReadonlyMap<string, number>;

/**
 * The minutes that the options of a proposal's dates add to the therapists' weeks, so that the dates of one week
 * together keep within the weekly limits.
 */
export class WeekHours {
  /** The hours that each solved date adds; the list index is the option's position. */
  readonly #solved: { readonly date: IsoDate; readonly options: readonly Minutes[] }[] = [];
  /** The hours that each date's pins add. */
  readonly #pinned: { readonly date: IsoDate; readonly options: readonly Minutes[] }[] = [];

  /**
   * The hours that other dates add to the date's week. A solved date counts with its option at this position (or its
   * first, if it has fewer options). A date that is still to be solved counts with its pins.
   */
  added(date: IsoDate, position = 0): Map<string, number> {
    const sum = new Map<string, number>();
    const later = this.#pinned.filter((each) => each.date > date);
    for (const { date: other, options } of [...this.#solved, ...later]) {
      if (mondayOf(other) !== mondayOf(date)) continue;
      for (const [id, minutes] of options[position] ?? options[0] ?? []) sum.set(id, (sum.get(id) ?? 0) + minutes);
    }
    return sum;
  }

  /** Reserves the hours that a date's pins need, so that plans for earlier dates do not use them up. */
  reserve(day: ClinicDay, planned: PlannedDay): void {
    const pins = new Map(planned.problem.pins?.map(({ session, pieces }) => [session, pieces]));
    this.#pinned.push({ date: day.date, options: [addedMinutes(day, planned, pins)] });
  }

  /**
   * The answer without the options that, together with the other dates' options at the same position, would exceed a
   * weekly limit. The first option always fits, because the other dates' hours already lower the caps in its problem.
   */
  fitting(day: ClinicDay, planned: PlannedDay, answer: CoverAnswer): CoverAnswer {
    const options: Option[] = [];
    for (const option of answer.options) {
      const added = this.added(day.date, options.length);
      const alone = options.length === 0 || added.size === 0;
      if (alone || keepsRules(withCaps(day, planned.problem, added), option)) options.push(option);
    }
    return { ...answer, options };
  }

  /** Remembers what a date's options add. */
  remember(day: ClinicDay, planned: PlannedDay, { options }: CoverAnswer): void {
    const added = options.map(({ sessions }) =>
      addedMinutes(day, planned, new Map(sessions.map(({ session, pieces }) => [session, pieces]))),
    );
    this.#solved.push({ date: day.date, options: added });
  }
}

function withCaps(day: ClinicDay, problem: CoverProblem, added: Minutes): CoverProblem {
  const work = new Map(day.therapists.map((t) => [t.id, t.work]));
  const therapists = problem.therapists.map((t) => {
    const own = work.get(t.id);
    return own ? { ...t, cap: capAfter(own, added.get(t.id)) } : t;
  });
  return { ...problem, therapists };
}

const keepsRules = (problem: CoverProblem, { sessions }: Option): boolean =>
  checkSessions(buildModel(problem), sessions).length === 0;

/** By how many minutes a plan lengthens each therapist's day, counted as the ledger of hours counts. */
function addedMinutes(day: ClinicDay, planned: PlannedDay, pieces: ReadonlyMap<string, Piece[]>): Minutes {
  const away = awayWindows(day);
  const keys = new Set(planned.sessions.flatMap(({ rows }) => rows.map(({ key }) => key)));
  const declinedKeys = new Set(day.appointments.flatMap((a) => (a.declined === undefined ? [] : [a.key])));
  const before = new Map<string, Interval[]>();
  const after = new Map<string, Interval[]>();
  for (const { key, therapistId, occupies, start, end } of day.appointments) {
    if (!occupies || therapistId === null || declinedKeys.has(key)) continue;
    pushTo(before, therapistId, { start, end });
    if (!keys.has(key)) pushTo(after, therapistId, { start, end });
  }
  for (const session of planned.sessions) {
    const declinedBy = session.rows.find((row) => declinedKeys.has(row.key))?.therapistId;
    for (const { therapistId, cancelled, start, end } of segmentsOf(session, pieces.get(session.id)))
      if (therapistId !== null && therapistId !== declinedBy && !cancelled) pushTo(after, therapistId, { start, end });
  }
  const worked = (of: ReadonlyMap<string, Interval[]>, id: string): number =>
    minutesOf(subtract(union(of.get(id) ?? []), away.get(id) ?? []));
  return new Map(
    [...after.keys()].flatMap((id) => {
      const more = worked(after, id) - worked(before, id);
      return more > 0 ? [[id, more]] : [];
    }),
  );
}
