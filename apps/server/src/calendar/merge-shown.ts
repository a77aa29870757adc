import { MERGE_MINUTES, mergeAppointments, pushTo, union, type Mergeable } from '@clinic/domain';
import type { ShownAppointment } from '../day/present-appointment.ts';

interface Row extends Mergeable {
  readonly shown: ShownAppointment;
}

/**
 * Returns a day's appointments as shown. Deleted ones are hidden (CAL-10), rows with the same Id and times are shown
 * once (CAL-11), and rows with the same Id that overlap or are at most 15 minutes apart are merged (CAL-12). A merged
 * row needs a therapist whenever one of its rows does. A cancelled or no-show row is hidden if a booked row has the
 * same Id, and does not lengthen the booked row. Rows of different clients are never merged, so that no child's session
 * is hidden.
 */
export function mergeShown(appointments: readonly ShownAppointment[]): ShownAppointment[] {
  const rows = appointments.filter((appointment) => appointment.status !== 'entered-in-error').map(toRow);
  const live = mergeRows(rows.filter(takesPlace));
  const over = mergeRows(rows.filter((row) => !takesPlace(row))).filter((row) => !live.some((kept) => near(kept, row)));
  return [...live, ...over]
    .map(({ shown, start, end }) => (shown.start === start && shown.end === end ? shown : { ...shown, start, end }))
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.key < b.key ? -1 : 1));
}

const takesPlace = ({ shown }: Row): boolean => shown.status !== 'cancelled' && shown.status !== 'noshow';

function near(a: Row, b: Row): boolean {
  return a.id === b.id && a.start <= b.end + MERGE_MINUTES && b.start <= a.end + MERGE_MINUTES;
}

function mergeRows(rows: readonly Row[]): Row[] {
  const open = new Map<Row, Row[]>();
  const merged = mergeAppointments(rows, (kept, dropped) => {
    pushTo(open, kept, dropped);
  });
  return merged.map((row) => {
    const dropped = open.get(row);
    if (!dropped) return row;
    const all = [row, ...dropped];
    const uncovered = union(all.flatMap(({ shown }) => shown.uncovered));
    const hasTherapist = all.every(({ shown }) => shown.hasTherapist);
    const wrong = [...new Set(all.flatMap(({ shown }) => shown.wrong ?? []))];
    const marked = wrong.length === 0 ? {} : { wrong };
    return { ...row, shown: { ...row.shown, uncovered, hasTherapist, ...marked } };
  });
}

function toRow(shown: ShownAppointment): Row {
  return {
    shown,
    id: `${shown.wireId}\0${shown.client ?? ''}`, // neither contains \0, which PostgreSQL does not store
    date: shown.date,
    start: shown.start,
    end: shown.end,
    client: shown.client ?? '',
    therapist: shown.therapist ?? '',
    location: shown.location,
    subject: shown.subject,
  };
}
