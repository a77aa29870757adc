import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { lossSchema } from './causes.ts';
import { dateSchema, locationSchema, personKindSchema, timeText, wallText } from './wire.ts';

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
  /** The row's own key, used to change it; imported data may contain an `Id` twice. */
  key: z.optional(z.string()),
  version: z.optional(z.number()),
  service: z.optional(z.enum(['direct', 'supervision', 'parent-training', 'admin'])),
  /**
   * Set when the session has no therapist, or its therapist is away for part of it: the stretches without a therapist,
   * `HH:MM`.
   */
  needs_cover: z.optional(z.boolean()),
  uncovered: z.optional(z.array(z.object({ start: timeText, end: timeText }))),
  /** An imported double booking. */
  clash: z.optional(z.boolean()),
  group: z.optional(z.nullable(z.string())),
  /** Set while a commit has given the session to another therapist, or to none: the therapist who had it before. */
  booked_with: z.optional(z.string()),
  /** Why it was cancelled or missed, for the staff only. */
  loss: z.optional(lossSchema),
});
export type WireAppointment = z.infer<typeof wireAppointmentSchema>;

/** Wall-clock ISO date-times without a zone (DATA-02). */
const wireAvailabilitySchema = z.object({
  therapist_name: z.string(),
  start_time: wallText,
  end_time: wallText,
  location: locationSchema,
});

/** A stored absence; 23:59 is the end of the day. */
export const storedAbsenceSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: personKindSchema,
  startTime: timeText,
  endTime: timeText,
  /** For someone no longer with the clinic: part of that day's record, so it can be neither changed nor withdrawn. */
  former: z.optional(z.boolean()),
  /** Why they are away, for the staff only. */
  loss: z.optional(lossSchema),
});
export type StoredAbsence = z.infer<typeof storedAbsenceSchema>;

/** Everyone with a row, booked that day or not. */
const calendarPersonSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: personKindSchema,
  /** Therapists: BCBA, RBT or BT. */
  credential: z.optional(z.string()),
  /** No longer with the clinic, but with sessions that day: has a row, but cannot be chosen. */
  former: z.optional(z.boolean()),
});

export const slotsReplySchema = z.object({
  appointments: z.array(wireAppointmentSchema),
  availabilities: z.array(wireAvailabilitySchema),
  absences: z.array(storedAbsenceSchema),
  people: z.array(calendarPersonSchema),
  /** Grows with every change to this location's day. */
  version: z.number(),
  /** The clinic's current wall time, `YYYY-MM-DDTHH:MM:SS`. */
  now: wallText,
});
export type SlotsReply = z.infer<typeof slotsReplySchema>;

const dayQuerySchema = z.object({ date: dateSchema, location: locationSchema });

export const calendarEndpoints = {
  slots: endpoint({
    method: 'GET',
    path: '/slots',
    access: 'signed-in',
    summary: "A location's day",
    query: dayQuerySchema,
    reply: slotsReplySchema,
  }),
  /** Each event's data is a `clinicEventSchema` as JSON. */
  events: endpoint({
    method: 'GET',
    path: '/events',
    access: 'signed-in',
    summary: 'Changes as they happen: server-sent events, each a JSON object; `location` limits them to one location',
    query: z.object({ location: z.optional(locationSchema) }),
    otherReply: { types: ['text/event-stream'], text: 'Events: each line `data:` is one ClinicEvent as JSON.' },
  }),
};
