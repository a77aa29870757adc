import type { DaySheetReply } from '@clinic/contract';
import {
  byName,
  compareNames,
  formatTime,
  groupBy,
  joinStretches,
  overlaps,
  subtract,
  withoutTakenAdmin,
  type Interval,
  type ToldStretch,
} from '@clinic/domain';
import type { ClinicDay, DayAppointment } from '../../day/facts/day.ts';
import { awayWindows, uncoveredOf } from '../../day/facts/uncovered.ts';
import { bookedHere } from '../memory/told-people.ts';
import type { WellDay } from '../../day/well.ts';
import type { Line } from '../lines/line.ts';

type SheetDay = Pick<DaySheetReply, 'open' | 'therapists' | 'wrong'>;
type SheetStretch = DaySheetReply['open'][number];

/**
 * Returns a location's day as handed out to staff: first the times without a therapist, then each therapist's day, by
 * name. Time when a session's therapist is not available is listed only in the first part. Time when a child is away,
 * or did not come, is not listed. A session with which something is wrong is marked, without the reason: the sheet is
 * handed out, and the reason may be about one of its readers. So is a session that waits for someone's yes.
 */
export function daySheet(
  day: ClinicDay,
  { wrong, marks }: Pick<WellDay, 'wrong' | 'marks'>,
  calls: readonly Pick<Line, 'id' | 'asked' | 'unsettled'>[],
): SheetDay {
  const away = awayWindows(day);
  const names = new Map(day.clients.map((client) => [client.id, client.displayName]));
  const here = bookedHere(day).filter((a) => a.status !== 'noshow');
  const elsewhere = day.appointments.filter((a) => a.location !== day.location && a.occupies);
  const ownOf = (id: string, rows: readonly DayAppointment[]) => rows.filter((a) => a.therapistId === id);
  const marked = here.filter((a) => marks.has(a.key));
  const lineOf =
    (therapistId: string | null) =>
    ({ with: client, service, ...times }: ToldStretch): SheetStretch => {
      const name = names.get(client ?? '');
      const isWaiting = calls.some(
        ({ id, asked, unsettled }) =>
          id === therapistId &&
          [...asked.filter(({ what }) => what === 'new'), ...unsettled].some(
            (each) => each.with === client && each.service === service && overlaps(each, times),
          ),
      );
      const isMarked = marked.some(
        (a) =>
          a.clientId === client &&
          a.service === service &&
          (therapistId === null || a.therapistId === therapistId) &&
          overlaps(a, times),
      );
      const line = { ...inText(times), service, clients: name === undefined ? [] : [name] };
      return isMarked || isWaiting ? { ...line, unsettled: true } : line;
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
      withoutTakenAdmin(stretches(ownOf(t.id, here), givenOf), stretches(ownOf(t.id, elsewhere), givenOf)).map(
        lineOf(t.id),
      ),
    ),
  }));
  return {
    ...(wrong.length > 0 ? { wrong: wrong.length } : {}),
    open: stretches(here, openOf).map(lineOf(null)),
    therapists: therapists.filter((t) => t.sessions.length > 0 || t.away.length > 0),
  };
}

const inText = ({ start, end }: Interval) => ({ start: formatTime(start), end: formatTime(end) });

/** Puts the clients whom a therapist sees at the same time on one line. */
const together = (list: readonly SheetStretch[]): SheetStretch[] =>
  [...groupBy(list, ({ start, end, service }) => JSON.stringify([start, end, service])).values()].map((same) => ({
    ...same[0],
    clients: same.flatMap(({ clients }) => clients).sort(compareNames),
    ...(same.some(({ unsettled }) => unsettled) ? { unsettled: true } : {}),
  }));
