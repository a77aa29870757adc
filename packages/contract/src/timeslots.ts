import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateSchema, dateText, locationSchema, personNameSchema, wallText } from './wire.ts';

/** The starts and ends of the booked sessions on one day of the week, as wall time `YYYY-MM-DDTHH:MM:SS`. */
export const timeslotDaySchema = z.object({
  date: dateText,
  slots: z.array(wallText),
  ends: z.array(wallText),
});
export type TimeslotDay = z.infer<typeof timeslotDaySchema>;
const timeslotsReplySchema = z.object({ data: z.array(timeslotDaySchema) });

export const timeslotsEndpoints = {
  timeslots: endpoint('GET', '/timeslots', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'timeslots.read',
    summary: "A client's booked sessions in a week",
    query: z.object({ client_name: personNameSchema, location: locationSchema, start_date: dateSchema }),
    reply: timeslotsReplySchema,
    shape: { data: [0] },
  }),
};
