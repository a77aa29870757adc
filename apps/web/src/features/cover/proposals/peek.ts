import {
  UNASSIGNED,
  formatWireDateTime,
  parseWireDateTime,
  type SlotsReply,
  type WireAppointment,
} from '@clinic/contract';
import { formatTime, pushTo, subtract, type Interval } from '@clinic/domain';
import { currentDate, type ProposalState } from './model.ts';
import { cellView, type CellView } from './table.ts';

/** Returns the day as it would be once the choices are submitted. Does not change its arguments. */
export function peekDay(day: SlotsReply, state: ProposalState): SlotsReply {
  const chosen = chosenPieces(state);
  const named = new Map(day.appointments.map((a) => [a.key ?? '', a]));
  const groups = new Map([...chosen].map(([session, pieces]) => [groupOf(named.get(session)), pieces]));
  groups.delete('');
  return {
    ...day,
    appointments: day.appointments.flatMap((a) => {
      const pieces = chosen.get(a.key ?? '') ?? groups.get(groupOf(a));
      return pieces ? cut(a, pieces) : [a];
    }),
  };
}

/** Each session's pieces in its client's chosen option, by the session's key. */
function chosenPieces(state: ProposalState): Map<string, CellView[]> {
  const date = currentDate(state) ?? '';
  const found = new Map<string, CellView[]>();
  for (const [client, option] of Object.entries(state.choices[date] ?? {}))
    for (const [slot, cell] of Object.entries(state.reply.data[date]?.[client]?.[option] ?? {}))
      if (cell.session !== undefined) pushTo(found, cell.session, cellView(slot, cell));
  return found;
}

/** A key that a group's appointments share; empty for other sessions. */
const groupOf = (a: WireAppointment | undefined): string =>
  a?.group == null ? '' : [a.group, a.StartDateTime, a.EndDateTime].join();

/** Cuts an appointment into its pieces; time that the option does not mention stays as it is. */
function cut(a: WireAppointment, pieces: readonly CellView[]): WireAppointment[] {
  const from = parseWireDateTime(a.StartDateTime);
  const to = parseWireDateTime(a.EndDateTime);
  if (!from || !to) return [a];
  const whole = { start: from.minutes, end: to.date > from.date ? to.minutes + 1440 : to.minutes };
  const at = (window: Interval): WireAppointment => ({
    ...a,
    // Each piece needs its own Id: pieces with the same Id would be merged (CAL-12).
    Id: `${a.Id} ${window.start}`,
    StartDateTime: formatWireDateTime(from.date, window.start),
    EndDateTime: formatWireDateTime(from.date, window.end),
    uncovered: (a.uncovered ?? []).filter(
      ({ start, end }) => start < formatTime(window.end) && formatTime(window.start) < end,
    ),
  });
  return [...subtract([whole], pieces).map(at), ...pieces.map((piece) => asChosen(at(piece), piece))];
}

function asChosen(a: WireAppointment, { kind, therapist, start, end }: CellView): WireAppointment {
  if (kind === 'cancel') return { ...a, Appointment_Status: 'Cancelled', needs_cover: false, uncovered: [] };
  const { booked_with: before = a.Preferred_Provider_Name, had_nobody = before === UNASSIGNED, ...plain } = a;
  const open = kind === 'unassigned';
  const left = open || (kind === 'cover' && before !== therapist);
  return {
    ...plain,
    Preferred_Provider_Name: open ? UNASSIGNED : therapist,
    needs_cover: open,
    uncovered: open ? [{ start: formatTime(start), end: formatTime(end) }] : [],
    ...(left && before !== UNASSIGNED ? { booked_with: before } : {}),
    ...(kind === 'cover' && had_nobody ? { had_nobody } : {}),
  };
}
