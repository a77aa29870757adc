/** Makes the options of a standing replacement: loads, solves in the worker pool, checks, explains, stores. */
import {
  STRATEGIES,
  checkGiven,
  type RunAnswer,
  type SeriesAnswer,
  type StandingOption,
  type WeeksAnswer,
} from '@clinic/weeks-engine';
import type { StandingBody, StandingChild, StandingPlan, StandingReply } from '@clinic/contract';
import {
  addDays,
  daysBetween,
  groupBy,
  isoDate,
  listWords,
  MINUTES_A_DAY,
  parseTime,
  SLOT_MINUTES,
  timeSlot,
  type IsoDate,
} from '@clinic/domain';
import { audit } from '../../access/audit.ts';
import type { Act } from '../../access/act.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction, onSnapshot } from '../../db/retry.ts';
import { filledUntil } from '../../day/facts/filled-until.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { newProposalId } from '../../plan/options/proposals.queries.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { datesOf, type Away, type LeftOut, type StandingSeries } from '../problem/standing-problem.ts';
import { lastSessionOf, loadStanding, type LoadedStanding } from '../problem/load-standing.ts';
import { MOST_WEEKS_DAYS } from '../problem/weeks-facts.ts';
import { nameOf, whyOpen, whyRun } from './explain-standing.ts';
import { insertStanding, type StoredStanding } from './stored-standing.ts';

/** The most sessions that one replacement writes: each takes three locks, and the database has room for some thousands. */
const MOST_SESSIONS = 400;

/** Returns the options for who takes a therapist's sessions. They are stored, so that one of them can be committed. */
export async function proposeStanding(
  db: Db,
  solver: Pick<Solver, 'solveWeeks'>,
  wallOf: WallOf,
  body: StandingBody,
  act: Act,
): Promise<StandingReply> {
  const replan = body.replan === true;
  const { away, loaded } = await loadAsked(db, wallOf, body, replan);
  const count = loaded.series.reduce((sum, { rows }) => sum + Object.values(rows).flat().length, 0);
  if (count > MOST_SESSIONS) throw refusal('too-many-for-replacement', count, MOST_SESSIONS);
  const answer = await solve(solver, loaded, act);
  const stored: StoredStanding = {
    reply: {
      ...present(loaded, newProposalId(), answer),
      for_good: body.until === undefined,
      filled_until: await filledUntil(db, body.location, [wallOf(body.location).date, away.until]),
    },
    away,
    replan,
    rows: Object.fromEntries(loaded.series.map(({ id, rows }) => [id, keysByDate(rows)])),
  };
  await inTransaction(db, async (trx) => {
    await insertStanding(trx, stored, act.caller.id);
    await audit(trx, act.at, {
      action: 'proposal.made',
      subjectKind: 'proposal',
      subjectIds: [stored.reply.proposal],
      accountId: act.caller.id,
      location: body.location,
      detail: { from: away.from, until: away.until, clients: [...loaded.facts.clients.keys()] },
      requestId: act.requestId,
    });
  });
  return stored.reply;
}

/** Loads the range that is asked about. Refuses a therapist who does not exist. */
export async function loadAsked(db: Db, wallOf: WallOf, body: StandingBody, replan = false) {
  const wall = wallOf(body.location);
  const away = await awayOf(db, body, addDays(wall.date, 1));
  const loaded = await onSnapshot(db, (reads) => loadStanding(reads, body.location, away, wall, replan));
  if (loaded.awayName === null) throw refusal('no-such-therapist');
  return { away, loaded };
}

/** When the therapist is away. A caseload that is handed over for good ends with its last session, or after a year. */
async function awayOf(db: Db, body: StandingBody, tomorrow: IsoDate): Promise<Away> {
  const { location, therapist, from, weekdays, start, end } = body;
  const first = from > tomorrow ? from : tomorrow;
  const year = addDays(first, MOST_WEEKS_DAYS - 1);
  const last = body.until ?? (await lastSessionOf(db, location, therapist)) ?? first;
  const until = body.until === undefined ? (last < first ? first : last > year ? year : last) : last;
  if (until < first) throw refusal('range-ends-too-early');
  if (daysBetween(first, until) >= MOST_WEEKS_DAYS) throw refusal('range-too-long', MOST_WEEKS_DAYS);
  const times = { start: parseTime(start ?? '') ?? 0, end: parseTime(end ?? '') ?? MINUTES_A_DAY };
  return { therapist, from: first, until, weekdays: weekdays && [...new Set(weekdays)].sort(), ...times };
}

const keysByDate = (rows: StandingSeries['rows']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(rows).map(([date, own]) => [date, own.map(({ key }) => key)]));

interface Answer {
  readonly options: readonly StandingOption[];
  readonly unfinished: readonly string[];
}

const isStanding = (option: WeeksAnswer['options'][number]): option is StandingOption => 'strategy' in option;

/** Solves, and checks every option with the engine's rules on this side, too: a worker's memory may be corrupt. */
export async function solve(
  solver: Pick<Solver, 'solveWeeks'>,
  { problem }: LoadedStanding,
  act: Act,
  most?: number,
): Promise<Answer> {
  if (problem.series.length === 0) return { options: [], unfinished: [] };
  const answer = await solver.solveWeeks(problem, { account: act.caller.id, gone: act.gone }, most);
  if (answer.refused) throw new Refusal('solver-failed');
  const options = answer.options.filter(isStanding);
  const dates = new Map(problem.series.map(({ id, dates: own }) => [id, own]));
  for (const { series } of options) {
    const given = series.flatMap(({ series: id, runs }) =>
      runs.flatMap((run) =>
        takenDates(dates.get(id) ?? [], run).map((date) => ({ series: id, date, therapist: run.therapist ?? '' })),
      ),
    );
    if (checkGiven(problem, given).length > 0) throw new Refusal('solver-failed');
  }
  return { options, unfinished: answer.unfinished ?? [] };
}

/** The dates of a run that its therapist takes. */
export const takenDates = (dates: readonly IsoDate[], { therapist, from, to, open = [] }: RunAnswer): IsoDate[] =>
  therapist === null ? [] : dates.filter((date) => from <= date && date <= to && !open.includes(date));

function present(
  loaded: LoadedStanding,
  proposal: string,
  { options, unfinished }: Answer,
): Omit<StandingReply, 'for_good' | 'filled_until'> {
  const { facts, series, away, problem } = loaded;
  const nameOfSeries = (each: StandingSeries): string =>
    listWords(each.clientIds.map((id) => facts.clients.get(id)?.name ?? ''));
  const client = new Map(problem.series.map((each) => [each.id, each.client]));
  const own = new Map(series.map((each) => [each.id, each]));
  const children = [...groupBy(series, ({ id }) => client.get(id) ?? '')].map(([id, list]): StandingChild => ({
    id,
    name: list[0] ? nameOfSeries(list[0]) : '',
    series: list
      .sort((a, b) => a.weekday - b.weekday || a.start - b.start)
      .map((each) => ({
        id: each.id,
        weekday: each.weekday,
        start: each.start,
        end: each.end,
        service: each.service,
        dates: datesOf(each),
      })),
  }));
  const plans = options.map((option) =>
    Object.fromEntries(
      option.series.flatMap((answer) => {
        const each = own.get(answer.series);
        return each ? [[each.id, planOf(loaded, each, nameOfSeries(each), answer)]] : [];
      }),
    ),
  );
  const ids = new Set(
    plans.flatMap((plan) => Object.values(plan).flatMap(({ runs }) => runs.map((run) => run.therapist))),
  );
  const found = options.map(({ strategy }) => strategy);
  return {
    proposal,
    location: facts.location,
    therapist: { id: away.therapist, name: loaded.awayName ?? '' },
    from: away.from,
    until: away.until,
    children: children.sort((a, b) => a.name.localeCompare(b.name)),
    options: options.map(({ strategy, label, proven }, i) => ({
      name: `Option ${i + 1}`,
      label,
      strategy,
      proven,
      series: plans[i] ?? {},
    })),
    people: Object.fromEntries(
      problem.therapists
        .filter(({ id }) => ids.has(id))
        .map((t) => [
          t.id,
          {
            name: nameOf(loaded, t.id),
            bcba: t.credential === 'BCBA',
            room: Object.fromEntries(Object.entries(t.caps).map(([week, slots]) => [week, slots * SLOT_MINUTES])),
          },
        ]),
    ),
    same: STRATEGIES.filter(
      ({ strategy }) => !found.includes(strategy) && options.length > 0 && !unfinished.includes(strategy),
    ).map(({ label }) => label),
    unfinished: STRATEGIES.filter(({ strategy }) => unfinished.includes(strategy)).map(({ label }) => label),
    left_out: loaded.leftOut.map(({ row, why }) => ({
      date: row.date,
      time: timeSlot(row.start, row.end),
      child: facts.clients.get(row.clientId ?? '')?.name ?? '',
      why: LEFT_OUT[why],
      why_code: why,
    })),
  };
}

const LEFT_OUT: Readonly<Record<LeftOut['why'], string>> = {
  planned: 'That day’s plan has decided it',
  told: 'The family was told about that day',
  partly: 'Only part of it is in the time away',
  'early-or-late': 'It begins before 7:00 AM or ends after 7:00 PM',
};

function planOf(
  loaded: LoadedStanding,
  series: StandingSeries,
  child: string,
  { runs, why }: SeriesAnswer,
): StandingPlan {
  const dates = datesOf(series);
  const shown = runs.flatMap((run, i) => {
    const taken = takenDates(dates, run);
    if (run.therapist === null || taken.length === 0) return [];
    const reason = why.runs[i] ?? null;
    return [
      {
        therapist: run.therapist,
        knows: reason?.knows ?? ('new' as const),
        dates: taken,
        why: whyRun(loaded, run.therapist, child, reason),
      },
    ];
  });
  const taken = new Set(shown.flatMap((run) => run.dates));
  const holders = [...new Set(shown.map(({ therapist }) => therapist))];
  const open = dates.filter((date) => !taken.has(date));
  return {
    runs: shown,
    open: open.map((date) => ({ date, why: whyOpen(loaded, series, isoDate(date), child, holders) })),
  };
}
