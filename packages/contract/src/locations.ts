import * as z from 'zod/mini';
import type { SentLocation } from '@clinic/domain';
import { dateText, timeText } from './wire.ts';

/** A location as pages need it. */
export const locationReplySchema = z.object({
  /** Its name in the API. */
  value: z.string(),
  label: z.string(),
  group: z.string(),
  /** An IANA time zone. */
  zone: z.string(),
  /** The weekdays on which it is open, 0 is Sunday; empty if not recorded. */
  hours: z.array(z.object({ weekday: z.int(), start: timeText, end: timeText })),
  /** The first date on which it is closed for good. */
  closed_from: z.nullable(dateText),
});
export type LocationReply = z.infer<typeof locationReplySchema> & SentLocation;
