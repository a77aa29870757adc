/** Says what an absence would cost: with nobody in the therapist's place, and with the best standing replacement. */
import type { StandingBody, StandingPrice } from '@clinic/contract';
import { codeOf, groupBy, holdsOn, intersect, isoDate, minutesOf, type Interval } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { groupOf, type DatedAppointment } from '../../day/facts/day.ts';
import type { WallOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import type { Solver } from '../../plan/options/solver.ts';
import type { LoadedStanding } from '../problem/load-standing.ts';
import { unpaidOf } from '../problem/standing-problem.ts';
import { loadAsked, solve, takenDates } from './standing.service.ts';
import { shortOfSupervision, type MovedSession } from './supervision-lost.ts';

/** Prices an absence that is only asked for, or one that is recorded. Writes nothing. */
export async function priceAbsence(
  db: Db,
  solver: Pick<Solver, 'solveWeeks'>,
  wallOf: WallOf,
  body: StandingBody,
  act: Act,
): Promise<StandingPrice> {
  const { away, loaded } = await loadAsked(db, wallOf, body);
  const { options, unfinished } = await solve(solver, loaded, act, 1);
  const moved = movedBy(loaded, options[0]);
  const open = moved.filter(({ to }) => to === null);
  const lost = (all: readonly MovedSession[]): number =>
    all.reduce((sum, { rows }) => sum + minutesLost(rows, away), 0);
  return {
    from: away.from,
    until: away.until,
    sessions: moved.reduce((sum, { rows }) => sum + rows.length, 0),
    minutes: lost(moved),
    open: {
      sessions: open.reduce((sum, { rows }) => sum + rows.length, 0),
      minutes: lost(open),
      authorized: minutesLost(authorizedOf(loaded, open), away),
    },
    faces: facesOf(loaded, moved),
    supervision: await onSnapshot(db, (reads) => shortOfSupervision(reads, loaded, moved)),
    proven: unfinished.length === 0 && options.every(({ proven }) => proven),
  };
}

const minutesLost = (rows: readonly Interval[], away: Interval): number =>
  rows.reduce((sum, row) => sum + minutesOf([intersect(row, away) ?? { start: 0, end: 0 }]), 0);

/** The sessions of the absence. What no standing replacement can be asked to take goes to nobody. */
function movedBy(
  { series, leftOut, problem }: LoadedStanding,
  option: Awaited<ReturnType<typeof solve>>['options'][number] | undefined,
): MovedSession[] {
  const dates = new Map(problem.series.map((each) => [each.id, each.dates]));
  const given = new Map(
    (option?.series ?? []).flatMap(({ series: id, runs }) =>
      runs.flatMap((run) => takenDates(dates.get(id) ?? [], run).map((date) => [`${id} ${date}`, run.therapist])),
    ),
  );
  const own = series.flatMap((each) =>
    Object.entries(each.rows).map(([date, rows]) => sessionOf(rows, given.get(`${each.id} ${date}`) ?? null)),
  );
  const rest = [...groupBy(leftOut, ({ row }) => `${row.date} ${groupOf(row)}`).values()];
  return [
    ...own,
    ...rest.map((list) =>
      sessionOf(
        list.map(({ row }) => row),
        null,
      ),
    ),
  ].flat();
}

function sessionOf(rows: readonly DatedAppointment[], to: string | null): MovedSession[] {
  const [first] = rows;
  if (!first) return [];
  const { date, start, end, service } = first;
  return [{ date: isoDate(date), start, end, service, clientIds: rows.flatMap((r) => r.clientId ?? []), rows, to }];
}

/** The sessions that an authorization on record would have paid for. */
function authorizedOf({ facts }: LoadedStanding, open: readonly MovedSession[]): DatedAppointment[] {
  const rows = open.flatMap((each) => [...each.rows]);
  const unpaid = unpaidOf(facts, rows);
  return rows.filter(
    ({ key, clientId, service, subject, date }) =>
      !unpaid.has(key) &&
      facts.uses.granted.some(
        (each) => each.client === clientId && each.code === codeOf(service, subject) && holdsOn(each, date),
      ),
  );
}

function facesOf({ facts }: LoadedStanding, moved: readonly MovedSession[]): StandingPrice['faces'] {
  const faces = new Map<string, Set<string>>();
  for (const { clientIds, to } of moved)
    for (const id of to === null ? [] : clientIds) {
      const client = facts.clients.get(id);
      if (!client || client.knows.has(to ?? '')) continue;
      faces.set(client.name, (faces.get(client.name) ?? new Set()).add(facts.therapists.get(to ?? '')?.name ?? ''));
    }
  return [...faces].sort(([a], [b]) => a.localeCompare(b)).map(([child, names]) => ({ child, names: [...names] }));
}
