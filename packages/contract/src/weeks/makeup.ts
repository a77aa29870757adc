import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, locationSchema, personNameSchema, timeSchema, timeText } from '../wire.ts';

/** The subject of a session that makes up lost time; the care ledger counts such sessions as made up. */
export const MAKE_UP_SUBJECT = 'Make-up session';
/** The most clients of one plan. */
export const MOST_MADE_UP = 60;
const MOST = { clients: MOST_MADE_UP, days: 28, pieces: 200 };

const pieceSchema = z.object({
  client: personNameSchema,
  therapist: personNameSchema,
  date: dateSchema,
  start: timeSchema,
  end: timeSchema,
});

const wishSchema = z.object({
  location: locationSchema,
  clients: z.array(personNameSchema).check(z.minLength(1, 'choose at least one client'), z.maxLength(MOST.clients)),
  /** How many days from tomorrow on. */
  days: z.int().check(z.minimum(1), z.maximum(MOST.days)),
  /** `usual`: when the child usually comes, an hour earlier or later too. `any`: weekdays from 8 to 6. */
  times: z.enum(['usual', 'any']),
});
export type MakeupWish = z.infer<typeof wishSchema>;

/** Time that a client lost in the last four weeks, in minutes, and what of it is made up or booked for it. */
export const owedSchema = z.object({
  client: z.string(),
  lost: z.number(),
  made_up: z.number(),
  booked: z.number(),
  owed: z.number(),
  lost_by: z.array(z.object({ label: z.nullable(z.string()), minutes: z.number() })),
  /** The date of the oldest lost session. */
  since: z.nullable(dateText),
  /** What authorizations for direct therapy have left, in minutes; null when none is on record. */
  left: z.nullable(z.number()),
});
export type Owed = z.infer<typeof owedSchema>;

const proposedSchema = z.object({
  client: z.string(),
  therapist: z.string(),
  date: dateText,
  start: timeText,
  end: timeText,
  knows: z.enum(['new', 'known', 'team']),
});
export type MakeupPiece = z.infer<typeof proposedSchema>;

export const makeupEndpoints = {
  makeupOwed: endpoint('GET', '/makeup', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'makeup.read',
    summary: 'The care that a location’s clients lost in four weeks, and what of it is still owed',
    query: z.object({ location: locationSchema }),
    reply: z.object({ owed: z.array(owedSchema) }),
  }),
  proposeMakeup: endpoint('POST', '/makeup/proposal', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'makeup.read',
    writes: false,
    summary: 'Sessions in the coming days that make up what these clients lost, for all of them together',
    body: wishSchema,
    reply: z.object({
      through: dateText,
      pieces: z.array(proposedSchema),
      /** What stays owed, in minutes, and why. */
      left: z.array(z.object({ client: z.string(), minutes: z.number(), why: z.string() })),
    }),
    refusals: ['solver-failed'],
  }),
  bookMakeup: endpoint('POST', '/makeup', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Book sessions that make up lost time, all or none, each linked to what was lost',
    body: z.object({
      location: locationSchema,
      pieces: z.array(pieceSchema).check(z.minLength(1, 'choose at least one session'), z.maxLength(MOST.pieces)),
    }),
    reply: z.object({ sessions: z.number(), minutes: z.number() }),
    status: 201,
  }),
};
