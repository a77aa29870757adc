import type { CoverAnswer } from '@clinic/cover-engine';
import type { BackedUpTherapists, ClientFigures, OfferedCell, OptionFigures } from '@clinic/contract';
import { UNASSIGNED } from '@clinic/contract';
import {
  compareNames,
  compareText,
  formatTime,
  parseTime,
  pushTo,
  SLOT_MINUTES,
  type Claim,
  type Interval,
} from '@clinic/domain';
import { toReal } from '../../day/facts/grid-plan.ts';
import { reserveWindows } from '../../day/reserve.ts';
import type { PlannedDay, PlannedSession, Segment } from '../problem/planned-day.ts';
import {
  gridPieces,
  isTouched,
  segmentsOf,
  shownSegments,
  slotOf,
  statusOf,
  type GridPiece,
} from '../problem/segments.ts';
import { familiarityOf } from '../problem/plan-figures.ts';
import { branchState, type StoredDay, type StoredOption } from '../problem/stored-proposal.ts';
import { clientFigures, figuresOf, presentClients, type ListedSession } from './option-figures.ts';

/** One date of a proposal as the API shows it, with what is stored about it. */
export interface DayOptions {
  stored: StoredDay;
  /** The cells, by client, option and time slot. */
  cells: Record<string, Record<string, Record<string, OfferedCell>>>;
  figures: Record<string, OptionFigures>;
  /** The figures, by client and option. */
  clientFigures: Record<string, Record<string, ClientFigures>>;
  /** The therapists' time that each client's option claims, by client and option: quarter hours, with names. */
  claims: Record<string, Record<string, Claim[]>>;
  reserve: BackedUpTherapists[string];
}

/** Turns an engine's answer for a day into options, by client. */
export function dayOptions(planned: PlannedDay, answer: CoverAnswer, proposal: string, revision: number): DayOptions {
  const options: StoredOption[] = answer.options.map((o, i) => ({
    name: `Option ${i + 1}`,
    strategy: o.strategy,
    proven: o.proven,
    pieces: Object.fromEntries(o.sessions.map((s) => [s.session, s.pieces])),
  }));
  const listed = listClients(planned, options);
  const clients = clientFigures(planned, options, listed);
  const cells = [...listed].map(
    ([name, sessions]) => [name, clientCells(planned, sessions, options, proposal, revision)] as const,
  );
  const claims = [...listed].map(([name, sessions]) => [name, clientClaims(planned, sessions, options)] as const);
  return {
    stored: {
      planned,
      options,
      listed: [...listed].map(([name, sessions]) => ({ name, sessions: sessions.map((s) => s.session.id) })),
    },
    cells: Object.fromEntries(cells),
    figures: listed.size === 0 ? {} : figuresOf(planned, answer, options, clients),
    clientFigures: presentClients(clients),
    claims: Object.fromEntries(claims),
    reserve: reserveOf(planned, options[0]),
  };
}

/**
 * Finds the clients with sessions that some option covers, swaps, cancels or leaves without a therapist, sorted by
 * name.
 */
function listClients(planned: PlannedDay, options: readonly StoredOption[]): Map<string, ListedSession[]> {
  const listed = new Map<string, ListedSession[]>();
  for (const session of planned.sessions) {
    const segments = options.map((o) => segmentsOf(session, o.pieces[session.id]));
    if (!segments.some((s) => isTouched(session, s))) continue;
    pushTo(listed, session.listedAs, { session, segments: segments.map(shownSegments) });
  }
  const order = (s: PlannedSession): string =>
    [s.service === 'direct' ? 0 : 1, formatTime(s.start), s.rows[0]?.seat ?? 1, s.id].join(' ');
  for (const sessions of listed.values()) sessions.sort((a, b) => (order(a.session) < order(b.session) ? -1 : 1));
  return new Map([...listed].sort(([a], [b]) => compareNames(a, b) || compareText(a, b)));
}

function clientCells(
  planned: PlannedDay,
  sessions: readonly ListedSession[],
  options: readonly StoredOption[],
  proposal: string,
  revision: number,
): Record<string, Record<string, OfferedCell>> {
  const keys = slotKeys(sessions);
  const rows = options.map((option, i) => {
    const shown = sessions
      .flatMap(({ session, segments }) =>
        (segments[i] ?? []).map((segment, n, all) => ({ session, segment, next: all[n + 1] })),
      )
      .sort((a, b) => a.segment.start - b.segment.start || a.segment.end - b.segment.end);
    const cells = shown.map(({ session, segment, next }) => {
      const cell = cellOf(planned, session, segment, branchState(proposal, revision, i + 1));
      const note = noteOf(planned, session, segment, next);
      return [keys(session, slotOf(segment)), note === null ? cell : { ...cell, note }] as const;
    });
    return [option.name, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(rows);
}

/**
 * Makes the keys of time slots, which are the same in every option. If a client has several sessions in one slot, the
 * keys of all but the first also contain the subject.
 */
function slotKeys(sessions: readonly ListedSession[]): (session: PlannedSession, slot: string) => string {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const { session, segments } of sessions) {
    const slots = new Set(segments.flat().map(slotOf));
    const own: string[] = [];
    for (const slot of slots) {
      const named = `${slot} (${session.rows[0]?.subject ?? ''})`;
      let key = taken.has(slot) ? named : slot;
      for (let n = 2; taken.has(key); n++) key = `${named} ${n}`;
      keys.set(JSON.stringify([session.id, slot]), key);
      own.push(key);
    }
    for (const key of own) taken.add(key);
  }
  return (session, slot) => keys.get(JSON.stringify([session.id, slot])) ?? slot;
}

/** Returns the keys of a client's cells. */
export function slotKeysOf(day: StoredDay, client: string): (session: PlannedSession, slot: string) => string {
  return slotKeys(listClients(day.planned, day.options).get(client) ?? []);
}

function cellOf(planned: PlannedDay, session: PlannedSession, segment: Segment, branch: string): OfferedCell {
  const holder = session.rows[0]?.therapistId ?? null;
  const nameOf = (id: string | null): string => (id === null ? UNASSIGNED : (planned.names[id] ?? UNASSIGNED));
  const status = statusOf(session, segment);
  const taken = status === 'Cover' || status === 'Swap';
  return {
    therapist: nameOf(segment.therapistId),
    status,
    branch_state: branch,
    ...(session.decided && !segment.cancelled && segment.therapistId !== holder ? { again: true } : {}),
    ...(taken ? { familiarity: familiarityOf(planned, session, segment.therapistId) } : {}),
    minutes: segment.end - segment.start,
    from: holder === null ? null : nameOf(holder),
    subject: session.rows[0]?.subject ?? '',
    session: session.id,
  };
}

/** What must be said of a cell: a BCBA who has not met the child, or a session that only starts a little late. */
function noteOf(
  planned: PlannedDay,
  session: PlannedSession,
  segment: Segment,
  next: Segment | undefined,
): string | null {
  const status = statusOf(session, segment);
  const isNew =
    (status === 'Cover' || status === 'Swap') && familiarityOf(planned, session, segment.therapistId) === 'new';
  if (isNew && session.service === 'supervision') return `has not met ${session.listedAs}`;
  const minutes = segment.end - segment.start;
  const isLate = status === 'Unassigned' && segment.start === session.start && minutes <= SLOT_MINUTES;
  return isLate && next && !next.cancelled && next.therapistId !== null && next.start === segment.end
    ? `starts ${minutes} min late`
    : null;
}

/**
 * Returns the claims in quarter hours, the unit of the engine's rules, so that claims clash exactly when a commit would
 * be refused.
 */
function clientClaims(
  planned: PlannedDay,
  sessions: readonly ListedSession[],
  options: readonly StoredOption[],
): Record<string, Claim[]> {
  return Object.fromEntries(
    options.map((option) => [
      option.name,
      sessions.flatMap(({ session }) =>
        gridPieces(session, option.pieces[session.id]).flatMap((p) => claimOf(planned, session, p) ?? []),
      ),
    ]),
  );
}

function claimOf({ names }: PlannedDay, session: PlannedSession, piece: GridPiece): Claim | null {
  const { therapistId, start, end, stays } = piece;
  if (therapistId === null) return null;
  const real = session.grid ? toReal(session, session.grid, piece) : piece;
  const isExact = real.start === start && real.end === end;
  return {
    therapist: names[therapistId] ?? therapistId,
    from: start,
    to: end,
    changed: !stays,
    ...(therapistId === session.therapistId ? {} : { other: true }),
    ...(isExact ? {} : { exact: { start: real.start, end: real.end } }),
  };
}

/** Finds the therapists who are still free in an option, with their free windows. */
function reserveOf(planned: PlannedDay, option: StoredOption | undefined): BackedUpTherapists[string] {
  const { problem } = planned;
  const taken = new Map<string, Interval[]>();
  const take = (who: string | null, start: number, end: number): void => {
    if (who !== null) pushTo(taken, who, { start, end });
  };
  const at = (time: string): number => parseTime(time) ?? 0;
  for (const a of problem.absences) take(a.who, at(a.start), at(a.end));
  for (const s of problem.sessions) if (s.service === 'admin') take(s.therapist, at(s.start), at(s.end));
  for (const s of planned.sessions)
    for (const p of gridPieces(s, option?.pieces[s.id])) take(p.therapistId, p.start, p.end);
  return problem.therapists.flatMap((t) => {
    const available = t.available.map(([start, end]) => ({ start: at(start), end: at(end) }));
    return reserveWindows(available, taken.get(t.id) ?? [], planned.now).map((w) => ({
      therapist: t.name,
      begin: formatTime(w.start),
      end: formatTime(w.end),
    }));
  });
}
