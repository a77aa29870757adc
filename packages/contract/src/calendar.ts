import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { lossSchema } from './causes.ts';
import { dateSchema, dateText, locationSchema, personKindSchema, tabSchema, timeText, wallText } from './wire.ts';

const spokenText = z.string().check(
  z.meta({
    pattern: '^\\d{1,2}/\\d{1,2}/\\d{4}, \\d{1,2}:\\d{2} [AP]M$',
    description: "The clinic's wall time, M/D/YYYY, h:mm AM/PM",
  }),
);

/** An appointment as the API shows it (DATA-01). Times are `M/D/YYYY, h:mm AM/PM` in the clinic's wall time. */
export const wireAppointmentSchema = z.looseObject({
  Id: z.string(),
  StartDateTime: spokenText,
  EndDateTime: spokenText,
  Subject: z.string(),
  Preferred_Provider_Name: z.string(),
  Appointment_Status: z.string(),
  'Client Name': z.string(),
  Location: z.string(),
  'Location Group': z.string(),
  /** The appointment's own key, used to change it; in imported data, two appointments can have the same `Id`. */
  key: z.optional(z.string()),
  version: z.optional(z.number()),
  service: z.optional(z.enum(['direct', 'supervision', 'parent-training', 'admin'])),
  /** Set when the session lacks a therapist for some of its time; `uncovered` then lists those times as `HH:MM`. */
  needs_cover: z.optional(z.boolean()),
  uncovered: z.optional(z.array(z.object({ start: timeText, end: timeText }))),
  /** Set when the session comes from an import and overlaps another session of the same therapist. */
  clash: z.optional(z.boolean()),
  /** What is wrong with the session, in sentences: a double booking, a broken rule, a cancellation not submitted. */
  wrong: z.optional(z.array(z.string())),
  group: z.optional(z.nullable(z.string())),
  /**
   * The therapist who was booked before a commit gave the session to someone else, or to no one. Not set after the
   * commit is undone.
   */
  booked_with: z.optional(z.string()),
  /** Set when a commit gave the session, which had no therapist, to this one. */
  had_nobody: z.optional(z.boolean()),
  /** For a piece of a session that a commit divided: the session's key. All of its pieces count as one session. */
  part_of: z.optional(z.string()),
  /** Why the session was cancelled or was a no-show; for staff only. */
  loss: z.optional(lossSchema),
});
export type WireAppointment = z.infer<typeof wireAppointmentSchema>;

/** Dates and times by the clinic's clock, in ISO format without a time zone (DATA-02). */
const wireAvailabilitySchema = z.object({
  therapist_name: z.string(),
  start_time: wallText,
  end_time: wallText,
  location: locationSchema,
});

/** The dates of an absence over several dates, as stored. */
export const leaveRangeSchema = z.object({
  first_date: dateText,
  last_date: z.nullable(dateText),
  weekdays: z.array(z.int()),
});
export type LeaveRange = z.infer<typeof leaveRangeSchema>;

/** A stored absence; an end of 23:59 means the end of the day. */
export const storedAbsenceSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: personKindSchema,
  startTime: timeText,
  endTime: timeText,
  /**
   * Set when the person has left the clinic. Their absence stays in the day's record, but no one can change or withdraw
   * it.
   */
  former: z.optional(z.boolean()),
  /** Why the person is away; for staff only. */
  loss: z.optional(lossSchema),
  /**
   * Whether the person does not know of it yet, if someone said so. If missing, they do not when the loss was caused by
   * someone else, such as the clinic or a payer.
   */
  untold: z.optional(z.boolean()),
  /** Set when the absence is one date of a range: its id and its dates. */
  leave: z.optional(z.object({ id: z.string(), ...leaveRangeSchema.shape })),
});
export type StoredAbsence = z.infer<typeof storedAbsenceSchema>;

/** A person with a row in the calendar, with or without bookings that day. */
const calendarPersonSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: personKindSchema,
  /** The credential of a therapist: BCBA, RBT or BT. */
  credential: z.optional(z.string()),
  /** Set when the person has left the clinic but has sessions that day: their row is shown, but cannot be chosen. */
  former: z.optional(z.boolean()),
});

export const slotsReplySchema = z.object({
  appointments: z.array(wireAppointmentSchema),
  availabilities: z.array(wireAvailabilitySchema),
  absences: z.array(storedAbsenceSchema),
  people: z.array(calendarPersonSchema),
  /** When the location is closed that day, and why; missing in an older server's reply. */
  closed: z.optional(z.array(z.object({ start: timeText, end: timeText, name: z.string() }))),
  /** How many sessions are not cancelled yet although their client is away; missing in an older server's reply. */
  to_cancel: z.optional(z.number()),
  /** How many other things are wrong; missing in an older server's reply. */
  wrong: z.optional(z.number()),
  /** A number that grows with every change to this location's day. */
  version: z.number(),
  /** The clinic's current wall time, `YYYY-MM-DDTHH:MM:SS`. */
  now: wallText,
});
export type SlotsReply = z.infer<typeof slotsReplySchema>;

const dayQuerySchema = z.object({ date: dateSchema, location: locationSchema });

export const calendarEndpoints = {
  slots: endpoint('GET', '/slots', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'calendar.read',
    summary: "A location's day",
    query: dayQuerySchema,
    reply: slotsReplySchema,
    shape: { appointments: [0], availabilities: [0] },
  }),
  /** Each event's data is a `clinicEventSchema` as JSON. */
  events: endpoint('GET', '/events', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'none',
    summary: 'Changes as they happen: server-sent events, each a JSON object; `location` limits them to one location',
    /**
     * `tab`: an id that the page made for itself; when the stream closes, the user no longer counts as working on that
     * page.
     */
    query: z.object({ location: z.optional(locationSchema), tab: z.optional(tabSchema) }),
    otherReply: { types: ['text/event-stream'], text: 'Events: each line `data:` is one ClinicEvent as JSON.' },
  }),
};
