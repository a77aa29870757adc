import type { LeaveEffect, StoredLeave } from '@clinic/contract';
import { formatTime, minutesOf, mondayOf, subtract, type IsoDate, type Location } from '@clinic/domain';
import { closedTime, selectClosures } from '../../day/facts/closures.ts';
import { filledUntil } from '../../day/facts/filled-until.ts';
import { leaveDates, leaveHorizon, selectLeavesAt, type Leave, type LeaveTerms } from '../../day/facts/leaves.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import { cutOf, isOver, type WallPresent } from '../../day/facts/present.ts';
import { presentLoss, type DayLoss } from '../../day/facts/losses.ts';
import { selectStored, type AbsentPerson } from '../../plan/absences/absences.queries.ts';
import { checkTerms, sessionsOnLeave } from '../../plan/absences/leave.ts';
import type { Db } from '../../db/connection.ts';

/**
 * What an absence over several dates would touch: its sessions, week by week, without what has begun or passed. Writes
 * nothing.
 */
export async function effectOf(
  db: Db,
  person: AbsentPerson,
  terms: LeaveTerms,
  wall: WallPresent,
): Promise<LeaveEffect> {
  const today = wall.date;
  checkTerms(person.displayName, terms, today);
  const horizon = leaveHorizon(today);
  const dates = leaveDates(terms, terms.first, horizon);
  const cut = await cutOf(db, wall);
  /** When the absence begins to count on a date. */
  const startOn = (date: IsoDate): number =>
    isOver(date, wall, cut) ? terms.end : Math.max(terms.start, plannedFrom(cut(date)));
  const sessions = (await sessionsOnLeave(db, { ...terms, kind: person.kind, personId: person.id })).filter(
    ({ service, clientId, date, end }) =>
      service !== 'admin' && clientId !== null && startOn(date) < Math.min(terms.end, end),
  );
  const stored = await selectStored(
    db,
    dates.map((date) => ({ person, date })),
  );
  const closures = await selectClosures(db, terms.first, dates.at(-1) ?? terms.first);
  const counted = dates.at(-1) ?? terms.first;
  const weeks = new Map(dates.map((date) => [mondayOf(date), 0]));
  for (const { date } of sessions) weeks.set(mondayOf(date), (weeks.get(mondayOf(date)) ?? 0) + 1);
  const lost = sessions.map(
    (each) => minutesOf([each]) - minutesOf(subtract([each], [{ start: startOn(each.date), end: terms.end }])),
  );
  const others = sessions.map(({ clientId, therapistId }) => (person.kind === 'therapist' ? clientId : therapistId));
  return {
    weeks: [...weeks].map(([monday, count]) => ({ monday, sessions: count })),
    sessions: sessions.length,
    minutes: lost.reduce((sum, each) => sum + each, 0),
    people: new Set(others.filter((id) => id !== null)).size,
    series: new Set(sessions.flatMap(({ seriesId }) => seriesId ?? [])).size,
    counted_until: counted,
    filled_until: await filledUntil(db, person.location, [today, counted]),
    away: dates.filter((_, i) => (stored[i] ?? []).length > 0),
    closed: dates.flatMap((date) => {
      const found = closures.find((each) => each.location === person.location && closedTime(each, date) !== null);
      return found ? [{ date, name: found.name }] : [];
    }),
  };
}

/** The standing leaves of a location's people that last until a date or later. */
export async function listLeaves(db: Db, location: Location, date: IsoDate): Promise<StoredLeave[]> {
  const list = await selectLeavesAt(db, location, date);
  return list.map(({ leave, name, loss }) => presentLeave(leave, name, loss));
}

function presentLeave(leave: Leave, name: string, loss: DayLoss | null): StoredLeave {
  const { id, kind, first, last, weekdays, start, end, exceptions } = leave;
  const side = kind === 'client' ? 'family' : 'therapist';
  return {
    id,
    name,
    type: kind,
    first_date: first,
    last_date: last,
    weekdays: [...weekdays],
    begin: formatTime(start),
    end: formatTime(Math.min(end, 1439)),
    ...(loss === null ? {} : { loss: presentLoss(loss, side, { date: first, minutes: start }) }),
    ...(leave.loss.untold === null ? {} : { untold: leave.loss.untold }),
    exceptions: [...exceptions],
  };
}
