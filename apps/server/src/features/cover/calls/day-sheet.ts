import type { DaySheetReply } from '@clinic/contract';
import {
  byName,
  compareNames,
  formatTime,
  joinStretches,
  subtract,
  withoutTakenAdmin,
  type Interval,
  type ToldStretch,
} from '@clinic/domain';
import type { ClinicDay, DayAppointment } from '../../../clinic-day/day.ts';
import { awayWindows, uncoveredOf } from '../../../clinic-day/uncovered.ts';
import { bookedHere } from '../../../clinic-day/told-people.ts';

type SheetDay = Pick<DaySheetReply, 'open' | 'therapists'>;
type SheetStretch = DaySheetReply['open'][number];

/**
 * Returns a location's day as handed out to staff: first the times without a therapist, then each therapist's day, by
 * name. Time when a session's therapist is not available is listed only in the first part. Time when a child is away,
 * or did not come, is not listed.
 */
export function daySheet(day: ClinicDay): SheetDay {
  const away = awayWindows(day);
  const names = new Map(day.clients.map((client) => [client.id, client.displayName]));
  const here = bookedHere(day).filter((a) => a.status !== 'noshow');
  const elsewhere = day.appointments.filter((a) => a.location !== day.location && a.occupies);
  const ownOf = (id: string, rows: readonly DayAppointment[]) => rows.filter((a) => a.therapistId === id);
  const lineOf = ({ with: client, service, ...times }: ToldStretch): SheetStretch => {
    const name = names.get(client ?? '');
    return { ...inText(times), service, clients: name === undefined ? [] : [name] };
  };
  const openOf = (a: DayAppointment): Interval[] => uncoveredOf(a, away, null);
  const stretches = (rows: readonly DayAppointment[], windows: (a: DayAppointment) => readonly Interval[]) =>
    joinStretches(rows.flatMap((a) => windows(a).map((w) => ({ ...w, with: a.clientId, service: a.service }))));
  const givenOf = (a: DayAppointment): Interval[] =>
    subtract([a], [...openOf(a), ...(away.get(a.clientId ?? '') ?? []), ...(away.get(a.therapistId ?? '') ?? [])]);
  const therapists = byName(day.therapists, (t) => t.displayName).map((t) => ({
    id: t.id,
    name: t.displayName,
    credential: t.credential,
    away: (away.get(t.id) ?? []).map(inText),
    sessions: together(
      withoutTakenAdmin(stretches(ownOf(t.id, here), givenOf), stretches(ownOf(t.id, elsewhere), givenOf)).map(lineOf),
    ),
  }));
  return {
    open: stretches(here, openOf).map(lineOf),
    therapists: therapists.filter((t) => t.sessions.length > 0 || t.away.length > 0),
  };
}

const inText = ({ start, end }: Interval) => ({ start: formatTime(start), end: formatTime(end) });

/** Puts the clients whom a therapist sees at the same time on one line. */
function together(list: readonly SheetStretch[]): SheetStretch[] {
  const lines = new Map<string, SheetStretch>();
  for (const stretch of list) {
    const key = JSON.stringify([stretch.start, stretch.end, stretch.service]);
    const clients = [...(lines.get(key)?.clients ?? []), ...stretch.clients].sort(compareNames);
    lines.set(key, { ...stretch, clients });
  }
  return [...lines.values()];
}
