import type { Piece } from '@clinic/cover-engine';
import { parseTime, timeSlot, type Interval, type StretchStatus } from '@clinic/domain';
import { toReal } from '../../day/facts/grid-plan.ts';
import type { PlannedSession, Segment } from './planned-day.ts';

/** A piece of a session, in quarter hours. */
export interface GridPiece extends Interval {
  therapistId: string | null;
  /** Whether nothing changes: the part is unaffected and keeps its therapist. */
  stays: boolean;
  affected: boolean;
}

/** Converts the time of an engine's piece to minutes after midnight. */
export const windowOf = ({ start, end }: Pick<Piece, 'start' | 'end'>): Interval => ({
  start: parseTime(start) ?? 0,
  end: parseTime(end) ?? 0,
});

/**
 * Returns the engine's pieces of a session. If there are none, affected parts have no therapist and the others keep
 * theirs.
 */
export function gridPieces(session: PlannedSession, pieces: readonly Piece[] | undefined): GridPiece[] {
  return session.parts.flatMap((part) => {
    const inPart = (pieces ?? [])
      .map((p) => ({ therapistId: p.therapist, ...windowOf(p) }))
      .filter((p) => part.start <= p.start && p.end <= part.end)
      .sort((a, b) => a.start - b.start);
    const given =
      inPart.length > 0
        ? inPart
        : [{ therapistId: part.affected ? null : session.therapistId, start: part.start, end: part.end }];
    const stays = !part.affected && given.length === 1 && given[0]?.therapistId === session.therapistId;
    return given.map((p) => ({ ...p, stays, affected: part.affected }));
  });
}

/** Returns the whole session in parts without gaps, in real minutes. */
export function segmentsOf(session: PlannedSession, pieces: readonly Piece[] | undefined): Segment[] {
  const { grid } = session;
  const holder = session.rows[0]?.therapistId ?? null;
  const planned = grid
    ? gridPieces(session, pieces).map((p): Segment => {
        const base = { therapistId: p.therapistId, cancelled: false, past: false, affected: p.affected };
        return { ...toReal(session, grid, p), ...base };
      })
    : [];
  const fixed = session.fixed.map(({ kind, start, end }): Segment => {
    const therapistId = kind === 'open' ? null : kind === 'stays' ? session.therapistId : holder;
    return { start, end, therapistId, cancelled: kind === 'cancel', past: kind === 'past', affected: kind === 'open' };
  });
  const all = [...planned, ...fixed].sort((a, b) => a.start - b.start);
  return all.reduce<Segment[]>((out, s) => {
    const last = out.at(-1);
    const same =
      last &&
      last.end === s.start &&
      last.therapistId === s.therapistId &&
      last.cancelled === s.cancelled &&
      last.past === s.past;
    if (same) out[out.length - 1] = { ...last, end: s.end, affected: last.affected || s.affected };
    else out.push(s);
    return out;
  }, []);
}

/** What a plan does with a part, compared with the calendar. */
export function statusOf(session: PlannedSession, segment: Segment): StretchStatus {
  const holder = session.rows[0]?.therapistId ?? null;
  if (segment.cancelled) return 'Cancel';
  if (segment.therapistId === null) return 'Unassigned';
  if (segment.therapistId === holder) return 'Scheduled';
  return segment.affected || holder === null ? 'Cover' : 'Swap';
}

/** Returns the parts to show: those whose time has not passed. */
export const shownSegments = (segments: readonly Segment[]): Segment[] => segments.filter((s) => !s.past);

/** Whether a plan changes any part of a session. */
export const isTouched = (session: PlannedSession, segments: readonly Segment[]): boolean =>
  shownSegments(segments).some((s) => statusOf(session, s) !== 'Scheduled');

export const slotOf = (segment: Segment): string => timeSlot(segment.start, segment.end);
