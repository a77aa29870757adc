import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, textSchema } from '../wire.ts';

/** The name of the option of each child, by the child’s id. Other children’s sessions stay as they are. */
export const standingChoiceSchema = z.record(textSchema(400), textSchema(40));

const minuteSchema = z.int().check(z.minimum(0), z.maximum(1440));

/** A replacement joins a session of the child; `child` and `therapist` are ids, times are minutes after midnight. */
export const joinSchema = z.object({
  child: textSchema(400),
  therapist: textSchema(64),
  date: dateSchema,
  start: minuteSchema,
  end: minuteSchema,
});
export type Join = z.infer<typeof joinSchema>;

const offeredSchema = z.object({
  child: z.string(),
  therapist: z.string(),
  date: dateText,
  start: z.number(),
  end: z.number(),
  /** The names, and who has the session that is joined. */
  child_name: z.string(),
  therapist_name: z.string(),
  with: z.string(),
});
export type OfferedJoin = z.infer<typeof offeredSchema>;

const warmReplySchema = z.object({
  /** The fewest hours by which each child meets whoever is new to them. */
  meetings: z.array(offeredSchema),
  /** The minutes of all meetings, which nobody pays for. */
  minutes: z.number(),
  /** Who meets less often than wanted: the names, and how often less. */
  unmet: z.array(z.object({ child_name: z.string(), therapist_name: z.string(), times: z.number() })),
  /** Whether it is proven that no other plan is better. */
  proven: z.boolean(),
});
export type WarmReply = z.infer<typeof warmReplySchema>;

/** The most meetings that one replacement books. */
export const MOST_JOINS = 100;

export const warmEndpoints = {
  planMeetings: endpoint('POST', '/standing/meetings', {
    access: 'signed-in',
    at: 'found',
    audit: 'leave.checked',
    writes: false,
    summary: 'Sessions before a leave that the replacements of a choice join, so that children meet them',
    body: z.object({
      proposal: textSchema(64),
      choice: standingChoiceSchema,
      /** How often each child is to meet somebody new. */
      times: z.int().check(z.minimum(1), z.maximum(3)),
    }),
    reply: warmReplySchema,
    refusals: ['not-found', 'solver-failed'],
  }),
};
