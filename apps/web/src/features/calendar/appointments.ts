import {
  UNASSIGNED,
  parseStatus,
  parseWireDateTime,
  type InnerStatus,
  type Loss,
  type WireAppointment,
} from '@clinic/contract';
import { MINUTES_A_DAY, mergeAppointments, nameKey, parseTime, union, type Interval } from '@clinic/domain';

/** A session as the calendar draws it. Times are minutes after the date's midnight. */
export interface CalendarAppointment extends Interval {
  id: string | null;
  date: string;
  client: string;
  therapist: string;
  /** The normalized names, used to compare people. */
  clientKey: string;
  therapistKey: string;
  location: string;
  subject: string;
  /** Null for an unknown status; `statusText` holds the status as received. */
  status: InnerStatus | null;
  statusText: string;
  /** Whether this is administrative time, which needs no cover. */
  admin: boolean;
  supervision: boolean;
  /** The times without a therapist. */
  uncovered: Interval[];
  clash: boolean;
  /** What is wrong with the session, in sentences. */
  wrong: readonly string[];
  group: string | null;
  /** The therapist who had the session before a commit changed its therapist or left it unassigned. */
  bookedWith: string | null;
  /** Whether a commit gave the session, which had no therapist, to this one. */
  hadNobody: boolean;
  /** Identifies the session; all its pieces have the same value. */
  session: string;
  key: string | null;
  version: number | null;
  /** Why some of the session's time is lost, if recorded. */
  loss: Loss | null;
}

/** Caches a function's results by its string argument, since each name and time appears many times in a day. */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    if (known.size > 20_000) known.clear();
    const made = work(text);
    known.set(text, made);
    return made;
  };
}

export const keyOf = remembered(nameKey);
const wallTime = remembered(parseWireDateTime);
/** How other back ends spell two statuses; a session that does not take place must not be drawn as one that does. */
const SPELT: Readonly<Record<string, InnerStatus>> = { canceled: 'cancelled', noshow: 'noshow' };
const statusOf = remembered((text) => parseStatus(text) ?? SPELT[text.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? null);
/** Reads `HH:MM` as minutes after midnight; null for anything else. */
export const minutesAt = remembered(parseTime);

const isSupervision = remembered((subject) => /supervision/i.test(subject));

const UNASSIGNED_KEY = nameKey(UNASSIGNED);

export const isUnassigned = remembered((name) => ['', UNASSIGNED_KEY].includes(keyOf(name)));

/** The booked therapist whose session another therapist now covers; null when no one covers it. */
export const coveredFor = ({ bookedWith, therapist }: CalendarAppointment): string | null =>
  isUnassigned(therapist) ? null : bookedWith;

/** Whether the session is cancelled or a no-show, and so takes up no time. */
export const isOff = (appointment: Pick<CalendarAppointment, 'status'>): boolean =>
  appointment.status === 'cancelled' || appointment.status === 'noshow';

function windowsOf(wire: WireAppointment, whole: Interval): Interval[] {
  const list = (wire.uncovered ?? []).flatMap(({ start, end }) => {
    const window = { start: parseTime(start), end: parseTime(end) };
    return window.start === null || window.end === null ? [] : [{ start: window.start, end: window.end }];
  });
  if (list.length > 0) return union(list);
  return wire.needs_cover || isUnassigned(wire.Preferred_Provider_Name) ? [whole] : [];
}

/** Reads one appointment; null when it is deleted (CAL-10) or its times cannot be read. */
export function readAppointment(wire: WireAppointment, adminClient: string): CalendarAppointment | null {
  const status = statusOf(wire.Appointment_Status);
  if (status === 'entered-in-error') return null;
  const from = wallTime(wire.StartDateTime);
  const to = wallTime(wire.EndDateTime);
  if (!from || !to) return null;
  const whole = { start: from.minutes, end: to.date > from.date ? MINUTES_A_DAY : to.minutes };
  if (whole.end <= whole.start) return null;
  const admin = wire.service === 'admin' || keyOf(wire['Client Name']) === keyOf(adminClient);
  const off = status === 'cancelled' || status === 'noshow';
  return {
    ...whole,
    id: wire.Id || null, // appointments without an Id are compared by content (CAL-11)
    date: from.date,
    client: wire['Client Name'],
    therapist: wire.Preferred_Provider_Name,
    clientKey: keyOf(wire['Client Name']),
    therapistKey: keyOf(wire.Preferred_Provider_Name),
    location: wire.Location,
    subject: wire.Subject,
    status,
    statusText: wire.Appointment_Status,
    admin,
    supervision: !admin && isSupervision(wire.Subject),
    uncovered: off || admin ? [] : windowsOf(wire, whole),
    clash: wire.clash ?? false,
    wrong: wire.wrong ?? [],
    group: wire.group ?? null,
    bookedWith: wire.booked_with ?? null,
    hadNobody: wire.had_nobody ?? false,
    session: wire.part_of ?? wire.key ?? [wire['Client Name'], wire.Preferred_Provider_Name, whole.start].join(),
    key: wire.key ?? null,
    version: wire.version ?? null,
    loss: wire.loss ?? null,
  };
}

/** Reads a day's appointments: leaves out deleted ones and merges duplicates (CAL-10 to CAL-12). */
export function readAppointments(wire: readonly WireAppointment[], adminClient: string): CalendarAppointment[] {
  const read = wire.map((w) => readAppointment(w, adminClient)).filter((a) => a !== null);
  return mergeAppointments(read, (kept, dropped) => {
    kept.uncovered = union([...kept.uncovered, ...dropped.uncovered]);
    kept.wrong = [...new Set([...kept.wrong, ...dropped.wrong])];
  });
}
