import * as z from 'zod/mini';
import { shownContactSchema } from '../contacts.ts';
import { endpoint } from '../endpoint.ts';
import {
  dateSchema,
  dateText,
  instantText,
  locationSchema,
  noteSchema,
  personKindSchema,
  textSchema,
  timeSchema,
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
const personBody = { kind: personKindSchema, id: textSchema(64) };

const answeredSchema = z.object({
  answer: callResultSchema,
  at: instantText,
  by: z.string(),
  note: z.nullable(z.string()),
  /** They answered themselves, on their own page. */
  own_page: z.boolean(),
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
  /** The person's sessions that are new or different: a family may rather cancel them, a therapist may say no to them. */
  sessions: z.array(
    z.object({
      key: z.string(),
      version: z.number(),
      start: timeText,
      end: timeText,
      has_therapist: z.boolean(),
      /** The other person of the session. */
      with: z.nullable(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
  /** Who said no to what the line says, so that a new plan comes before the call: `Kai Wood said no at 7:12`. */
  waits_for: z.array(z.string()),
  /** Attempts since they were told last, oldest first. */
  answers: z.array(answeredSchema),
  /** How to reach them, in the order in which to try; empty for a person at a location that the caller may not see. */
  contacts: z.array(shownContactSchema),
  /** The newest message to them about that date, if it is about what there is to say now. */
  message: z.nullable(
    z.object({
      way: z.enum(['email', 'text']),
      state: z.enum(['waiting', 'sent', 'failed']),
      at: instantText,
      /** Why it has not arrived yet, or failed. */
      fault: z.nullable(z.string()),
    }),
  ),
  /** When they saw this version on their own page. */
  seen_at: z.nullable(instantText),
  /** Who is calling them now. */
  ringing: z.nullable(z.object({ by: z.string(), mine: z.boolean(), at: instantText })),
});
export type CallLine = z.infer<typeof callLineSchema>;

/** A person who was told, and whose day is still as they were told. */
const toldPersonSchema = z.object({ ...personShape, name: z.string(), ...answeredSchema.shape });
export type ToldPerson = z.infer<typeof toldPersonSchema>;

/** Someone who said no, until that is taken back. */
const declinedSchema = z.object({
  id: z.string(),
  therapist: z.string(),
  /** `Bo Lee 8:30 to 11:30, said no at 7:12`. */
  words: z.string(),
  by: z.string(),
});
export type DeclinedPerson = z.infer<typeof declinedSchema>;

export const callsReplySchema = z.object({
  location: locationSchema,
  date: dateText,
  now: wallText,
  /** When the date's day sheet was last sent; everyone has been told what it said. */
  sheet: z.nullable(z.object({ at: instantText, by: z.string() })),
  /** Which ways are on, and how many lines *Release* would send a message to. */
  sending: z.object({ email: z.boolean(), text: z.boolean(), to_release: z.number() }),
  lines: z.array(callLineSchema),
  told: z.array(toldPersonSchema),
  declined: z.array(declinedSchema),
});
export type CallsReply = z.infer<typeof callsReplySchema>;

/** How many people must still be told, when the first of their days changes, and who is calling. */
export const callCountSchema = z.object({
  to_tell: z.number(),
  urgent: z.number(),
  next: z.nullable(timeText),
  /** The accounts that are calling someone on the list now. */
  calling: z.array(z.string()),
});
export type CallCount = z.infer<typeof callCountSchema>;

const dayShape = { location: locationSchema, date: dateSchema };

/**
 * What a no covers. A therapist's: the line's sessions or some of them, every session today that is not usually theirs,
 * or all their time until a given time. A family's (`but`): this therapist, and no one else.
 */
const noSchema = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('session'), sessions: z.optional(z.array(textSchema(64)).check(z.maxLength(50))) }),
  z.object({ scope: z.literal('today') }),
  z.object({ scope: z.literal('until'), until: timeSchema }),
  z.object({ scope: z.literal('but'), therapist: textSchema(64) }),
]);
export type CallNo = z.infer<typeof noSchema>;

export const answerBodySchema = z.object({
  ...dayShape,
  ...personBody,
  version: textSchema(64),
  answer: z.enum(ANSWERS),
  note: z.optional(noteSchema(500)),
  /** With `said-no`: kept for every later plan of the date until it is taken back. */
  no: z.optional(noSchema),
});
export type AnswerBody = z.infer<typeof answerBodySchema>;

export const claimBodySchema = z.object({
  ...dayShape,
  ...personBody,
  ringing: z.boolean(),
  /** Even though someone else is calling them. */
  take_over: z.optional(z.boolean()),
});
export type ClaimBody = z.infer<typeof claimBodySchema>;

const planBSchema = z.object({
  ...personShape,
  /** The version of the line that it belongs to. */
  version: z.string(),
  found: z.boolean(),
  /** `else Kai Morgan, new to Zuri`, or `no plan B: …` with the reasons. */
  words: z.string(),
});
export type LinePlanB = z.infer<typeof planBSchema>;

const sheetStretchSchema = z.object({
  start: timeText,
  end: timeText,
  service: z.enum(['direct', 'supervision', 'parent-training', 'admin']),
  /** Several of a group; none of administrative time. */
  clients: z.array(z.string()),
});

/** A location's day to print and hand out, with full names. */
export const daySheetReplySchema = z.object({
  location: locationSchema,
  date: dateText,
  /** When it was last recorded as sent. */
  sent: z.nullable(z.object({ at: instantText, by: z.string() })),
  /** What has no therapist. */
  open: z.array(sheetStretchSchema),
  /** Everyone with a session or an absence that day, by name. */
  therapists: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      credential: z.string(),
      away: z.array(z.object({ start: timeText, end: timeText })),
      sessions: z.array(sheetStretchSchema),
    }),
  ),
});
export type DaySheetReply = z.infer<typeof daySheetReplySchema>;

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
  /** Takes a moment: the list does not wait for it. */
  planB: endpoint({
    method: 'GET',
    path: '/calls/plan-b',
    access: 'signed-in',
    summary: 'Who else could come if someone says no, for each line that asks',
    query: z.object(dayShape),
    reply: z.object({ plans: z.array(planBSchema) }),
    refusals: ['solver-failed'],
  }),
  /** 409: the line has changed, or someone else has answered it; the detail's `lines` hold its current state. */
  answer: endpoint({
    method: 'POST',
    path: '/calls/answer',
    access: 'signed-in',
    summary: 'The result of a call',
    body: answerBodySchema,
    reply: callsReplySchema,
    refusals: ['not-found', 'stale-version'],
  }),
  /** 409 (`returned`) when an absence that came with the no made a commit give sessions to others, unless `take_back`. */
  takeBackNo: endpoint({
    method: 'POST',
    path: '/calls/said-no/take-back',
    access: 'signed-in',
    summary: 'Take back a no: later plans may ask them again',
    body: z.object({ ...dayShape, id: textSchema(20), take_back: z.optional(z.boolean()) }),
    reply: callsReplySchema,
    refusals: ['not-found', 'takes-back'],
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
  /** Sends nothing by itself: the messages wait in the outbox, and each line shows the state of its message. */
  release: endpoint({
    method: 'POST',
    path: '/calls/release',
    access: 'signed-in',
    summary: 'Send a message to everyone with a line who chose email or text, or has a page of their own',
    body: z.object(dayShape),
    reply: callsReplySchema,
  }),
  printedSheet: endpoint({
    method: 'GET',
    path: '/calls/day-sheet',
    access: 'signed-in',
    summary: "A location's day to print: what has no therapist, then each therapist's sessions",
    query: z.object(dayShape),
    reply: daySheetReplySchema,
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
