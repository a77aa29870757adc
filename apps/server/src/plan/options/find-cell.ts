import { UNASSIGNED } from '@clinic/contract';
import { overlaps } from '@clinic/domain';
import type { PlannedSession } from '../problem/planned-day.ts';
import { gridPieces, segmentsOf, slotOf, statusOf, type GridPiece } from '../problem/segments.ts';
import type { StoredDay, StoredOption } from '../problem/stored-proposal.ts';
import { slotKeysOf } from './day-options.ts';

export interface CellRef {
  client: string;
  option: StoredOption;
  timeSlot: string;
}

export interface FoundCell {
  session: PlannedSession;
  status: string;
  title: string;
  /** The pieces that the cell shows, in quarter hours; empty for time that is not planned. */
  pieces: GridPiece[];
}

/** Finds the part of a session that a cell shows; null when the option has no such cell. */
export function findCell(day: StoredDay, ref: CellRef): FoundCell | null {
  const keys = slotKeysOf(day, ref.client);
  const ids = new Set(day.listed.find((l) => l.name === ref.client)?.sessions);
  for (const session of day.planned.sessions) {
    if (!ids.has(session.id)) continue;
    const given = ref.option.pieces[session.id];
    for (const segment of segmentsOf(session, given)) {
      if (segment.past || keys(session, slotOf(segment)) !== ref.timeSlot) continue;
      const pieces = gridPieces(session, given).filter(
        (p) => overlaps(p, segment) && p.therapistId === segment.therapistId,
      );
      const status = statusOf(session, segment);
      const who = segment.therapistId === null ? UNASSIGNED : (day.planned.names[segment.therapistId] ?? '');
      const title = `${ref.client}, ${ref.timeSlot}: ${status === 'Cancel' ? 'cancelled' : who}`;
      return { session, status, title, pieces };
    }
  }
  return null;
}
