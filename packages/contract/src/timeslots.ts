import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateSchema, locationSchema, personNameSchema } from './wire.ts';

/** One item for each day of the week: starts of booked sessions as wall time `YYYY-MM-DDTHH:MM:SS`, and their ends. */
export const timeslotDaySchema = z.object({
  date: z.string(),
  slots: z.array(z.string()),
  ends: z.array(z.string()),
  /** For each slot: its therapist (`Unassigned` without one), and its subject. */
  therapists: z.optional(z.array(z.string())),
  subjects: z.optional(z.array(z.string())),
});
export type TimeslotDay = z.infer<typeof timeslotDaySchema>;
const timeslotsReplySchema = z.object({ data: z.array(timeslotDaySchema) });

export const timeslotsEndpoints = {
  timeslots: endpoint({
    method: 'GET',
    path: '/timeslots',
    access: 'signed-in',
    summary: "A client's booked sessions of a week",
    query: z.object({ client_name: personNameSchema, location: locationSchema, start_date: dateSchema }),
    reply: timeslotsReplySchema,
  }),
};
