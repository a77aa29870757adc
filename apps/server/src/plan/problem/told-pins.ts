import { modelOf, checkSessions, type Pin, type PlannedSession as EngineSession } from '@clinic/cover-engine';
import { formatTime, intersect, type Interval, type IsoDate, type Location, type ToldStretch } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { outward } from '../../day/facts/grid-plan.ts';
import type { PlannedDay, PlannedPart, PlannedSession } from './planned-day.ts';
import { personKey, selectAnswers, type PersonKey } from '../../tell/memory/call-day.ts';
import { knowledge } from '../../tell/memory/knows.ts';

/** What each person was told about their day in a telephone call; day sheets do not count. */
export type ToldDays = ReadonlyMap<PersonKey, readonly ToldStretch[]>;

export async function selectToldDays(db: Db, location: Location, date: IsoDate): Promise<ToldDays> {
  const told = new Map<PersonKey, readonly ToldStretch[]>();
  for (const [person, last] of knowledge(await selectAnswers(db, location, date)))
    if (last.whole?.answer === 'told' && last.told?.day) told.set(person, last.told.day);
  return told;
}

/**
 * Makes pins for the sessions that people were told about: a family was told who comes, or a therapist was told to
 * come. Time is not pinned if people were told that it has no therapist.
 */
export function toldPins(planned: PlannedDay, told: ToldDays): Pin[] {
  const pinned = new Set(planned.problem.pins?.map((pin) => pin.session));
  return planned.sessions.flatMap((session) => {
    if (!session.grid || session.parts.length === 0 || pinned.has(session.id)) return [];
    const holder = session.rows[0]?.therapistId ?? null;
    const ways = viewsOf(planned, session, told).flatMap((view) => {
      const parts = session.parts.map((part) => piecesOf(part, view));
      return parts.some((pieces) => pieces === null) ? [] : [parts.flatMap((pieces) => pieces ?? [])];
    });
    // If people were told different things about the session, the calendar decides.
    const pieces = ways.find((way) => way.every((p) => p.therapist === holder)) ?? ways[0];
    return pieces ? [{ session: session.id, pieces }] : [];
  });
}

/** What a person was told about a session: which therapist has it, and when. */
type View = readonly (Interval & { readonly therapist: string | null })[];

/** The families' views come first, because a family is told about the whole session. */
function viewsOf(planned: PlannedDay, session: PlannedSession, told: ToldDays): View[] {
  const families = session.rows.flatMap(({ clientId }): View[] => {
    const day = told.get(personKey('client', clientId));
    if (!day) return [];
    return [day.filter((s) => s.service === session.service).map((s) => ({ ...outward(s), therapist: s.with }))];
  });
  const clients = new Set(session.rows.map((row) => row.clientId));
  const therapists = planned.problem.therapists.flatMap(({ id }): View[] => {
    const day = told.get(personKey('therapist', id)) ?? [];
    const theirs = day.filter((s) => s.service === session.service && s.with !== null && clients.has(s.with));
    return theirs.length === 0 ? [] : [theirs.map((s) => ({ ...outward(s), therapist: id }))];
  });
  return [...families, ...therapists];
}

/**
 * Returns the pieces that a person was told about within this part of the session; null if these pieces overlap or
 * leave gaps.
 */
function piecesOf(part: PlannedPart, view: View): Pin['pieces'] | null {
  const pieces = view
    .flatMap((s) => {
      const both = intersect(s, part);
      return both ? [{ ...both, therapist: s.therapist }] : [];
    })
    .sort((a, b) => a.start - b.start);
  let at = part.start;
  for (const piece of pieces) {
    if (piece.start !== at || piece.therapist === null) return null;
    at = piece.end;
  }
  if (at !== part.end) return null;
  return pieces.map((p) => ({ therapist: p.therapist, start: formatTime(p.start), end: formatTime(p.end) }));
}

/**
 * Keeps the pins that break no rule, whether alone or together. The solver decides about the sessions of the other
 * pins.
 */
export function allowedPins(planned: PlannedDay, pins: readonly Pin[]): Pin[] {
  const model = modelOf(planned.problem);
  for (let standing = [...pins]; ;) {
    const held = new Map<string, EngineSession>(standing.map((pin) => [pin.session, pin]));
    const open = planned.sessions
      .filter((s) => s.grid && !held.has(s.id) && s.parts.some((part) => part.affected))
      .map((s): EngineSession => ({ session: s.id, pieces: s.parts.map(withNobody) }));
    const broken = new Set(checkSessions(model, [...held.values(), ...open]).map((v) => v.session));
    const left = standing.filter((pin) => !broken.has(pin.session));
    if (left.length === standing.length) return left;
    standing = left;
  }
}

/** A part without a therapist, for checking the pins only; the solver decides later who takes it. */
const withNobody = ({ start, end }: PlannedPart) => ({
  therapist: null,
  start: formatTime(start),
  end: formatTime(end),
});
