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
import { daySheetReplySchema } from './day-sheet.ts';
import { MOST_DATES, sameLineSchema, shownShape } from './same-lines.ts';

/** The result of a call. `not-told`: *Told* was clicked by mistake, and the line is open again. */
const ANSWERS = ['told', 'left-message', 'no-answer', 'said-no', 'not-told'] as const;
export type CallAnswer = (typeof ANSWERS)[number];
/** How people were told. `sheet`: they were not called; the day sheet told them. */
const callResultSchema = z.enum([...ANSWERS, 'sheet']);
export type CallResult = z.infer<typeof callResultSchema>;

const personShape = { kind: personKindSchema, id: z.string() };
const personBody = { kind: personKindSchema, id: textSchema(64) };

const answeredSchema = z.object({
  result: z.string(),
  answer: callResultSchema,
  at: instantText,
  by: z.string(),
  note: z.nullable(z.string()),
  /** The time by which the clinic promised to ring the family again; null if it promised nothing. */
  ring_by: z.nullable(timeText),
  /** Set when the person answered on their own page. */
  own_page: z.boolean(),
  /** Set when this was a no that was taken back, so that the person may be asked again. */
  taken_back: z.boolean(),
});

/** A message that was put into the outbox, and its state. */
export const messageSchema = z.object({
  way: z.enum(['email', 'text']),
  state: z.enum(['waiting', 'sent', 'failed', 'dropped']),
  at: instantText,
  /** Why the message has not arrived yet, has failed, or was dropped before it was sent. */
  fault: z.nullable(z.string()),
});
export type CallMessage = z.infer<typeof messageSchema>;

/** A person who must be told what has changed on a date since they were last told. */
export const callLineSchema = z.object({
  ...personShape,
  /** The name of the therapist, or of the client whose family is to be called. */
  name: z.string(),
  /** `ask`: the change counts as agreed only after the person says yes. */
  call: z.enum(['ask', 'inform', 'family']),
  /** The version of what the person must be told; an answer names the version it refers to. */
  version: z.string(),
  /** The first minute of the person's day that changes. */
  first: timeText,
  /**
   * True while the person has not been told and their first change is about to start, or the clinic promised to ring the
   * family again by a time that is about to come.
   */
  urgent: z.boolean(),
  /** Set when the person is already in the building. */
  here: z.boolean(),
  /** The sentences to say, one for each change. */
  say: z.array(z.string()),
  /** The same in Spanish; missing when no contact speaks it. */
  say_es: z.optional(z.array(z.string())),
  /** The words of a written message, which names no child; missing when none may be sent. */
  written: z.optional(z.object({ en: z.string(), es: z.string() })),
  /**
   * The therapists who are asked and must say yes before this person is told, in the list's order, with the names that
   * callers say. The line stands under the last of them.
   */
  after: z.array(z.object({ id: z.string(), name: z.string() })),
  /**
   * What the person was told earlier, if it has changed since: *was told … → now …*. Or, if only words that they heard
   * without being told no longer hold: a message that was left or sent, the plan that a family said no to, or a question
   * that a therapist saw on their own page; `by` is then empty.
   */
  again: z.nullable(
    z.object({
      heard: z.enum(['told', 'left-message', 'said-no', 'sent', 'seen']),
      was: z.string(),
      now: z.string(),
      at: instantText,
      by: z.string(),
    }),
  ),
  /**
   * The person's new or changed sessions. A family may cancel these sessions; a therapist may say no to them. If a
   * therapist keeps a session that became longer, the times are those of the part that was added.
   */
  sessions: z.array(
    z.object({
      key: z.string(),
      version: z.number(),
      start: timeText,
      end: timeText,
      has_therapist: z.boolean(),
      /** The other person in the session: a family's therapist, or a therapist's client. */
      with: z.nullable(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
  /**
   * Who said no to this change, is away, or is back since the last plan: `Kai Wood said no at 7:12`, `Kai Wood is away`,
   * `Kai Wood is back`; or that the plan which had changed this session was undone: `The last changes were undone`. The
   * coordinator needs a new plan before this call.
   */
  waits_for: z.array(z.string()),
  /**
   * The time until which a family can be asked to wait for a therapist; null if all sessions have a therapist or it is
   * too late to wait.
   */
  ring_by: z.nullable(timeText),
  /**
   * The results of the calls since the person was last told about their whole day, oldest first. A `told` among them
   * means that a family was told only about a cancelled session.
   */
  answers: z.array(answeredSchema),
  /**
   * The newest result since then; empty if there is none. It need not be among `answers`, which leave out what a family
   * said before they were told that the session was cancelled which changes again now.
   */
  newest_result: z.string(),
  /** How to reach the person, best way first; empty for a person at a location that the account may not see. */
  contacts: z.array(shownContactSchema),
  /** The newest message to the person, if it is about the current version or was dropped. */
  message: z.nullable(messageSchema),
  /** When the person saw this version on their own page. */
  seen_at: z.nullable(instantText),
  /** The account that is calling the person now: its name, and whether it is the user's own. */
  ringing: z.nullable(z.object({ by: z.string(), mine: z.boolean(), at: instantText })),
});
export type CallLine = z.infer<typeof callLineSchema>;

/** A person who was told about the date and has had no change since then. */
const toldPersonSchema = z.object({
  ...personShape,
  name: z.string(),
  ...answeredSchema.shape,
  /** The newest message to the person, if it was dropped. */
  dropped: z.nullable(messageSchema),
});
export type ToldPerson = z.infer<typeof toldPersonSchema>;

/** A person who said no and has not taken it back. */
const declinedSchema = z.object({
  id: z.string(),
  therapist: z.string(),
  /** What the person said no to: `Bo Lee 8:30 to 11:30, said no at 7:12`. */
  words: z.string(),
  by: z.string(),
  /** Set when the therapist said no on their own page. */
  own_page: z.boolean(),
  /** The reason, as noted or as the therapist typed it. */
  note: z.nullable(z.string()),
});
export type DeclinedPerson = z.infer<typeof declinedSchema>;

export const callsReplySchema = z.object({
  location: locationSchema,
  date: dateText,
  now: wallText,
  /** When the date's day sheet was last sent. Everyone on the sheet then counts as told. */
  sheet: z.nullable(z.object({ at: instantText, by: z.string() })),
  /** Whether the date's list is open. While it is closed, changes to the date are not listed. */
  open: z.boolean(),
  /**
   * The next time on that date at which a promise to ring a family again falls due: the list then gets a line without
   * an event. Null if there is none.
   */
  next_ring: z.nullable(timeText),
  /** Whether the clinic can send email and text messages, and how many lines *Release* would send a message for. */
  sending: z.object({ email: z.boolean(), text: z.boolean(), to_release: z.number() }),
  lines: z.array(callLineSchema),
  told: z.array(toldPersonSchema),
  declined: z.array(declinedSchema),
});
export type CallsReply = z.infer<typeof callsReplySchema>;

/** How many people must still be told, the earliest minute that changes for any of these people, and who is calling. */
export const callCountSchema = z.object({
  to_tell: z.number(),
  /** How many of them are asked, and must say yes. */
  to_ask: z.optional(z.number()),
  urgent: z.number(),
  next: z.nullable(timeText),
  /** The next time on that date at which a promise to ring a family again falls due, and the count rises; or null. */
  next_ring: z.nullable(timeText),
  /** The names of the accounts that are calling someone on the list now. */
  calling: z.array(z.string()),
});
export type CallCount = z.infer<typeof callCountSchema>;

/** The dates after the given date whose changes people must still be told about, and how many people for each date. */
export const laterCallsSchema = z.array(z.object({ date: dateText, to_tell: z.number() }));
export type LaterCalls = z.infer<typeof laterCallsSchema>;

const dayShape = { location: locationSchema, date: dateSchema };

/**
 * What a person said no to. A therapist can refuse some of the line's sessions (`session`), all of the day's sessions
 * that are not usually theirs (`today`), or all work until a given time (`until`). A family refuses only this therapist
 * (`but`).
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
  /**
   * Only with the result `told`, and only for a family that is asked about a session without a therapist: the time by
   * which the clinic promised to ring again. A quarter of an hour before it, the family is on the list again if that
   * session still has no therapist.
   */
  ring_by: z.optional(timeSchema),
  /**
   * Only with the result `said-no`: what the person said no to. Every later plan for the date respects the no until it
   * is taken back.
   */
  no: z.optional(noSchema),
  /**
   * The line's `newest_result` when the caller saw it. If the same account has stored the same result since, this request
   * is that one sent again, and is not a second call. If the person has said no since, on their own page or to someone
   * else, any other result is refused: the caller did not know of it.
   */
  last_shown: shownShape.last_shown,
  /** Told, or left a message, although someone who was asked has not said yes yet (`after`). Refused without this. */
  before_yes: z.optional(z.boolean()),
  /**
   * Further dates on which the person's line says the same (`same`): the result counts for them too, in one transaction.
   * Not with `said-no`. With `not-told`, what was told of these versions is taken back.
   */
  also: z.optional(z.array(z.object({ date: dateSchema, ...shownShape })).check(z.maxLength(MOST_DATES))),
  /** Only with `not-told`: the `result` that was a mistake. Without it, whatever the person was told last. */
  mistaken: z.optional(textSchema(20)),
});
export type AnswerBody = z.infer<typeof answerBodySchema>;

export const claimBodySchema = z.object({
  ...dayShape,
  ...personBody,
  ringing: z.boolean(),
  /** Calls the person even though someone else is calling them. */
  take_over: z.optional(z.boolean()),
});
export type ClaimBody = z.infer<typeof claimBodySchema>;

const planBSchema = z.object({
  ...personShape,
  /** The version of the line that plan B belongs to. */
  version: z.string(),
  found: z.boolean(),
  /** `else Kai Morgan, new to Zuri`, or `no plan B: …` with the reasons. */
  words: z.string(),
});
export type LinePlanB = z.infer<typeof planBSchema>;

export const callsEndpoints = {
  list: endpoint('GET', '/calls', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'calls.read',
    summary: 'Who must be told about a day, in calling order',
    query: z.object(dayShape),
    reply: callsReplySchema,
  }),
  count: endpoint('GET', '/calls/count', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'none',
    summary: 'How many people must be told about a day',
    query: z.object(dayShape),
    reply: callCountSchema,
  }),
  later: endpoint('GET', '/calls/later', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'none',
    summary: 'The later dates on which people must be told of changes',
    query: z.object(dayShape),
    reply: laterCallsSchema,
  }),
  /** A separate request, because it reads the lists of many dates and the call list should not wait for it. */
  same: endpoint('GET', '/calls/same', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'calls.read',
    summary: 'The calls of a day that say the same about later dates, to be made once for all of them',
    query: z.object(dayShape),
    reply: z.array(sameLineSchema),
  }),
  /** Plan B is a separate request, because it takes a moment and the call list should not wait for it. */
  planB: endpoint('GET', '/calls/plan-b', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'calls.read',
    summary: 'For each call that asks someone to come: who else could come if they say no',
    query: z.object(dayShape),
    reply: z.object({ plans: z.array(planBSchema) }),
    refusals: ['solver-failed'],
  }),
  /**
   * Records the result of a call. Replies 409 when the line has changed or has an answer (`line` in the detail is its
   * current state), or when someone must say yes first (`before_yes`). The same result sent again changes nothing.
   */
  answer: endpoint('POST', '/calls/answer', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'The result of a call',
    body: answerBodySchema,
    reply: callsReplySchema,
    refusals: ['not-found', 'stale-version', 'conflict'],
  }),
  /**
   * Takes back a therapist's or family's no. If the no was recorded as an absence, and a commit then gave the
   * therapist's sessions to others, replies 409 and counts those sessions (`returned`). With `take_back`, the sessions
   * go back to the therapist.
   */
  takeBackNo: endpoint('POST', '/calls/said-no/take-back', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Take back a no: later plans may ask the person again',
    body: z.object({ ...dayShape, id: textSchema(20), take_back: z.optional(z.boolean()) }),
    reply: callsReplySchema,
    refusals: ['not-found', 'takes-back'],
  }),
  claim: endpoint('POST', '/calls/claim', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Mark someone as being called, so that no one else calls them, or remove this mark',
    body: claimBodySchema,
    reply: callsReplySchema,
    refusals: ['not-found'],
  }),
  /** Returns the lines that `GET /calls` would return if the option were committed for every client. */
  ofOption: endpoint('POST', '/proposals/calls', {
    access: 'signed-in',
    at: 'found',
    audit: 'calls.read',
    writes: false,
    summary: 'The calls that committing an option would require, and what to say',
    body: z.object({ proposal: textSchema(64), revision: z.number(), date: dateSchema, option: textSchema(40) }),
    reply: z.object({
      lines: z.array(z.pick(callLineSchema, { kind: true, name: true, call: true, first: true, say: true })),
    }),
    refusals: ['not-found'],
  }),
  /** Puts the messages in the outbox, which sends them. Each line then shows the state of its message. */
  release: endpoint('POST', '/calls/release', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Send a message to everyone on the call list who chose email or text, or has a page of their own',
    body: z.object(dayShape),
    reply: callsReplySchema,
  }),
  printedSheet: endpoint('GET', '/calls/day-sheet', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'day-sheet.read',
    summary: "A location's day to print: sessions without a therapist, then each therapist's day",
    query: z.object(dayShape),
    reply: daySheetReplySchema,
  }),
  daySheet: endpoint('POST', '/calls/day-sheet', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Record that the day sheet was sent: everyone has been told the day as it is',
    body: z.object(dayShape),
    reply: callsReplySchema,
  }),
};
