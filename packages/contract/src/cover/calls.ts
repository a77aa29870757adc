import * as z from 'zod/mini';
import { shownContactSchema } from '../contacts.ts';
import { endpoint } from '../endpoint.ts';
import {
  dateSchema,
  dateText,
  instantText,
  locationSchema,
  personKindSchema,
  textSchema,
  timeText,
  wallText,
} from '../wire.ts';

/** The result of a call. `not-told`: *Told* was clicked by mistake, and the line is open again. */
const ANSWERS = ['told', 'left-message', 'no-answer', 'said-no', 'not-told'] as const;
export type CallAnswer = (typeof ANSWERS)[number];
/** `sheet`: no call, the day sheet informed them. */
const callResultSchema = z.enum([...ANSWERS, 'sheet']);
export type CallResult = z.infer<typeof callResultSchema>;

const personShape = { kind: personKindSchema, id: z.string() };

const answeredSchema = z.object({
  answer: callResultSchema,
  at: instantText,
  by: z.string(),
  note: z.nullable(z.string()),
});

/** A person who must be told about a date: the difference between what they were last told and the calendar now. */
export const callLineSchema = z.object({
  ...personShape,
  /** The display name of the therapist, or of the client whose family it is. */
  name: z.string(),
  /** `ask`: it counts as agreed only when they say yes. */
  call: z.enum(['ask', 'inform', 'family']),
  /** Changes with what there is to say; an answer names the version it is about. */
  version: z.string(),
  /** The first minute that changes. */
  first: timeText,
  /** Still open shortly before that minute. */
  urgent: z.boolean(),
  /** In the building already. */
  here: z.boolean(),
  /** The words to say, one sentence per stretch. */
  say: z.array(z.string()),
  /** If they were told something else before: *was told … → now …*. */
  again: z.nullable(z.object({ was: z.string(), now: z.string(), at: instantText, by: z.string() })),
  /** A family's sessions that are new or different: those that they may rather cancel. */
  sessions: z.array(
    z.object({ key: z.string(), version: z.number(), start: timeText, end: timeText, has_therapist: z.boolean() }),
  ),
  /** Attempts since they were told last, oldest first. */
  answers: z.array(answeredSchema),
  /** How to reach them, in the order in which to try; none of a person of a location that the caller may not see. */
  contacts: z.array(shownContactSchema),
  /** Who is calling them now. */
  ringing: z.nullable(z.object({ by: z.string(), mine: z.boolean(), at: instantText })),
});
export type CallLine = z.infer<typeof callLineSchema>;

/** A person who was told, and whose day is still as they were told. */
const toldPersonSchema = z.object({ ...personShape, name: z.string(), ...answeredSchema.shape });
export type ToldPerson = z.infer<typeof toldPersonSchema>;

export const callsReplySchema = z.object({
  location: locationSchema,
  date: dateText,
  now: wallText,
  /** When the date's day sheet was last sent; everyone has been told what it said. */
  sheet: z.nullable(z.object({ at: instantText, by: z.string() })),
  lines: z.array(callLineSchema),
  told: z.array(toldPersonSchema),
});
export type CallsReply = z.infer<typeof callsReplySchema>;

/** How many people must still be told, and when the first of their days changes. */
export const callCountSchema = z.object({ to_tell: z.number(), urgent: z.number(), next: z.nullable(timeText) });
export type CallCount = z.infer<typeof callCountSchema>;

const dayShape = { location: locationSchema, date: dateSchema };

export const answerBodySchema = z.object({
  ...dayShape,
  ...personShape,
  version: textSchema(64),
  answer: z.enum(ANSWERS),
  note: z.optional(textSchema(500)),
});
export type AnswerBody = z.infer<typeof answerBodySchema>;

export const claimBodySchema = z.object({
  ...dayShape,
  ...personShape,
  ringing: z.boolean(),
  /** Even though someone else is calling them. */
  take_over: z.optional(z.boolean()),
});
export type ClaimBody = z.infer<typeof claimBodySchema>;

export const callsEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/calls',
    access: 'signed-in',
    summary: 'Who must be told about a day, in calling order',
    query: z.object(dayShape),
    reply: callsReplySchema,
  }),
  count: endpoint({
    method: 'GET',
    path: '/calls/count',
    access: 'signed-in',
    summary: 'How many people must be told about a day',
    query: z.object(dayShape),
    reply: callCountSchema,
  }),
  /** 409: the line has changed, or someone else has answered it; the detail's `lines` hold its current state. */
  answer: endpoint({
    method: 'POST',
    path: '/calls/answer',
    access: 'signed-in',
    summary: 'What became of a call',
    body: answerBodySchema,
    reply: callsReplySchema,
    refusals: ['not-found', 'stale-version'],
  }),
  claim: endpoint({
    method: 'POST',
    path: '/calls/claim',
    access: 'signed-in',
    summary: 'Mark someone as being called, so that no one else calls them, or stop',
    body: claimBodySchema,
    reply: callsReplySchema,
    refusals: ['not-found'],
  }),
  daySheet: endpoint({
    method: 'POST',
    path: '/calls/day-sheet',
    access: 'signed-in',
    summary: 'Record that the day sheet was sent: everyone has been told the day as it is',
    body: z.object(dayShape),
    reply: callsReplySchema,
  }),
};
