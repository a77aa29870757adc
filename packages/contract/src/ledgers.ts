import * as z from 'zod/mini';
import { AUTHORIZATION_PERIODS, BILLING_CODES, codePairOf, PAYER_CREDENTIALS } from '@clinic/domain';
import { endpoint } from './endpoint.ts';
import { unassigningQuery, unfitSessionsSchema } from './profiles.ts';
import { rulesSchema } from './rules.ts';
import { dateSchema, dateText, EDITED_VERSION, locationSchema, textSchema, timeText, lineSchema } from './wire.ts';

/** A therapist's booked hours around a date, in minutes. */
const hoursRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The credential in effect on the date. */
  credential: z.string(),
  /** The time booked in the week from Monday to Sunday. */
  booked: z.number(),
  /** The part of the week's booked time that is already past. */
  worked: z.number(),
  /** The time of sessions taken over from others, in the last 7 and the last 28 days, including the date. */
  cover_7: z.number(),
  cover_28: z.number(),
  /** The therapist's weekly limit. */
  most: z.number(),
  guaranteed: z.nullable(z.number()),
  /** How much more may be booked before the weekly limit or the date's limit is reached. */
  left: z.number(),
});
export type HoursRow = z.infer<typeof hoursRowSchema>;

/** A rule that does not apply to some people because nothing is recorded for them. `words` says so in a sentence. */
export const ruleOffSchema = z.object({ rule: z.string(), people: z.number(), words: z.string() });
export type RuleOff = z.infer<typeof ruleOffSchema>;

const sessionFields = {
  key: z.string(),
  location: locationSchema,
  date: dateText,
  start: timeText,
  end: timeText,
  subject: z.string(),
};

/** One of the sessions that make up a figure. */
const ledgerSessionSchema = z.object({
  ...sessionFields,
  /** The client; null in administrative time, and for a client at a location that the account may not see. */
  client: z.nullable(z.string()),
  /** Whether the session was taken over from another therapist. */
  cover: z.boolean(),
});
export type LedgerSession = z.infer<typeof ledgerSessionSchema>;

/** The time lost to one cause; `cause` and `label` are null when no cause is recorded. */
const lostBySchema = z.object({ cause: z.nullable(z.string()), label: z.nullable(z.string()), minutes: z.number() });

/**
 * What is left of an authorization for one code of the care that a client has booked. Amounts for different codes, or
 * for a week and in total, cannot be added up. `authorization` is null when none for the code is valid.
 */
const authorizedCodeSchema = z.object({
  code: z.enum(BILLING_CODES),
  authorization: z.nullable(
    z.object({
      id: z.string(),
      period: z.enum(AUTHORIZATION_PERIODS),
      until_date: dateText,
      /** The units of one period. */
      authorized: z.number(),
      /** The units left of the period that includes the date. */
      left: z.number(),
    }),
  ),
});
export type AuthorizedCode = z.infer<typeof authorizedCodeSchema>;

/** A client's care in the four weeks before a date, in minutes. */
const careRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** All booked time, including cancelled sessions. */
  booked: z.number(),
  delivered: z.number(),
  /** The part of the delivered time that can be billed, in minutes of whole units. */
  billable: z.number(),
  /** The lost time up to now, without future sessions. */
  lost: z.number(),
  /** The lost time by cause, largest first. */
  lost_by: z.array(lostBySchema),
  /** The part of the delivered time in make-up sessions. */
  made_up: z.number(),
  /** How much an hour without a therapist weighs for this client in a plan for the date, in percent. */
  priority: z.number(),
  by_hand: z.boolean(),
  /**
   * The valid authorizations for the codes that were booked in these four weeks; null when the client has no
   * authorization on record.
   */
  authorized: z.nullable(z.array(authorizedCodeSchema)),
});
export type CareRow = z.infer<typeof careRowSchema>;

const countedSessionSchema = z.object({
  ...sessionFields,
  booked: z.number(),
  delivered: z.number(),
});
const careSessionSchema = z.object({
  ...countedSessionSchema.shape,
  billable: z.number(),
  lost: z.number(),
  lost_by: z.array(lostBySchema),
  made_up: z.number(),
});
export type CareSession = z.infer<typeof careSessionSchema>;

/** An RBT's supervision in a month, in minutes. */
const supervisionRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** All direct sessions of the month. */
  direct: z.number(),
  needed: z.number(),
  /** Supervision before the date, and supervision booked from the date to the end of the month. */
  done: z.number(),
  ahead: z.number(),
  contacts: z.number(),
  contacts_ahead: z.number(),
  contacts_needed: z.number(),
  /** Whether less supervision is booked than the month needs. */
  at_risk: z.boolean(),
});
export type SupervisionRow = z.infer<typeof supervisionRowSchema>;

/** An RBT's direct session, and how much of it was supervised. */
const supervisedSessionSchema = z.object({
  ...sessionFields,
  /** The client; null for a client at a location that the account may not see. */
  client: z.nullable(z.string()),
  direct: z.number(),
  supervised: z.number(),
});
export type SupervisedSession = z.infer<typeof supervisedSessionSchema>;

/** A valid authorization, and the minutes of its current period that were used before the date. */
const authorizationRowSchema = z.object({
  id: z.string(),
  client_id: z.string(),
  /** The client's name. */
  name: z.string(),
  payer: z.string(),
  code: z.string(),
  number: z.string(),
  from_date: dateText,
  until_date: dateText,
  period: z.enum(AUTHORIZATION_PERIODS),
  authorized: z.number(),
  /** The minutes used, at least those of `prior`. */
  delivered: z.number(),
  /** The minutes that were used through a date, as recorded with the authorization; null if not recorded. */
  prior: z.nullable(z.object({ used: z.number(), until: dateText })),
  left: z.number(),
});
export type AuthorizationRow = z.infer<typeof authorizationRowSchema>;

/** A session, an authorization from which it drew units, and how many minutes it drew. */
const authorizedSessionSchema = z.object({
  ...countedSessionSchema.shape,
  authorization: z.string(),
  used: z.number(),
});
export type AuthorizedSession = z.infer<typeof authorizedSessionSchema>;

/** Shared by the endpoints that return a ledger of a location's people on a date. */
const ledger = {
  access: 'signed-in',
  at: 'query.location',
  query: z.object({ location: locationSchema, date: dateSchema }),
} as const;

/** Shared by the endpoints that return the sessions behind one person's figures. */
const behindFigures = {
  access: 'signed-in',
  at: 'found',
  params: z.object({ id: textSchema(64) }),
  query: z.object({ date: dateSchema }),
} as const;

const dates = { from: dateText, until: dateText };
const off = z.array(ruleOffSchema);

const codePairSchema = z
  .string()
  .check(z.refine((text) => codePairOf(text) !== null, 'must be two billing codes, such as 97153+97155'));

/** What a payer requires of every therapist whose sessions it pays for; null means no requirement. */
const shownPayerSchema = z.object({
  name: z.string(),
  /** The lowest credential that the payer accepts. */
  credential: z.nullable(z.enum(PAYER_CREDENTIALS)),
  tag: z.nullable(z.string()),
  /** The pairs of codes that the payer pays for at the same time for one client; null when not known. */
  concurrent: z.nullable(z.array(z.string())),
  /** How many authorizations name the payer. */
  authorizations: z.number(),
  version: z.string(),
});
export type Payer = z.infer<typeof shownPayerSchema>;
const payerBodySchema = z.object({
  name: lineSchema(60).check(z.minLength(1, 'must not be empty')),
  credential: z.nullable(z.enum(PAYER_CREDENTIALS)),
  /** A tag that the therapist must have, such as an enrollment. */
  tag: z.nullable(lineSchema(60).check(z.minLength(1, 'must not be empty'))),
  /** Pairs of codes such as `97153+97155`, in either order. If left out, the stored pairs stay. */
  concurrent: z.optional(z.nullable(z.array(codePairSchema).check(z.maxLength(64)))),
  ...EDITED_VERSION,
});
export type PayerBody = z.infer<typeof payerBodySchema>;

const shownRulesSchema = z.object({ ...rulesSchema.shape, version: z.string() });
export type ShownRules = z.infer<typeof shownRulesSchema>;

export const ledgersEndpoints = {
  hours: endpoint('GET', '/ledgers/hours', {
    ...ledger,
    audit: 'none',
    summary: 'The hours of a location’s therapists around a date',
    reply: z.object({ ...dates, rows: z.array(hoursRowSchema), off }),
  }),
  hoursSessions: endpoint('GET', '/ledgers/hours/:id', {
    ...behindFigures,
    audit: 'ledger.read',
    summary: 'The sessions behind a therapist’s hours',
    reply: z.array(ledgerSessionSchema),
  }),
  care: endpoint('GET', '/ledgers/care', {
    ...ledger,
    audit: 'ledger.read',
    summary: 'The care of a location’s clients in the four weeks before a date',
    reply: z.object({ ...dates, rows: z.array(careRowSchema), off }),
  }),
  careSessions: endpoint('GET', '/ledgers/care/:id', {
    ...behindFigures,
    audit: 'ledger.read',
    summary: 'The sessions behind a client’s care',
    reply: z.array(careSessionSchema),
  }),
  supervision: endpoint('GET', '/ledgers/supervision', {
    ...ledger,
    audit: 'none',
    summary: 'The supervision of a location’s RBTs in the month of a date',
    reply: z.object({ ...dates, rows: z.array(supervisionRowSchema), off }),
  }),
  supervisedSessions: endpoint('GET', '/ledgers/supervision/:id', {
    ...behindFigures,
    audit: 'ledger.read',
    summary: 'The sessions behind an RBT’s supervision',
    reply: z.array(supervisedSessionSchema),
  }),
  authorizations: endpoint('GET', '/ledgers/authorizations', {
    ...ledger,
    audit: 'ledger.read',
    summary: 'The authorizations of a location’s clients that are valid on a date, and how much of each is used',
    reply: z.object({
      rows: z.array(authorizationRowSchema),
      /** The clients who have authorizations, but none that is valid. */
      lapsed: z.array(z.string()),
      off,
    }),
  }),
  authorizedSessions: endpoint('GET', '/ledgers/authorizations/:id', {
    ...behindFigures,
    audit: 'ledger.read',
    summary: 'The sessions that drew units from a client’s valid authorizations, for each authorization',
    reply: z.array(authorizedSessionSchema),
  }),
  payers: endpoint('GET', '/payers', {
    access: 'signed-in',
    at: 'none',
    audit: 'none',
    summary:
      'The payers that authorizations name, what each requires of therapists, and which codes it pays for together',
    reply: z.array(shownPayerSchema),
  }),
  /**
   * With `sessions=unassign`: if the payer no longer pays for a future session's therapist, the session loses that
   * therapist and needs cover.
   */
  savePayer: endpoint('PUT', '/payers', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Say what a payer requires of therapists, and which codes it pays for at the same time',
    query: unassigningQuery,
    body: payerBodySchema,
    reply: z.array(shownPayerSchema),
    refusals: ['stale-version'],
  }),
  checkPayer: endpoint('POST', '/payers/check', {
    access: 'clinic',
    at: 'none',
    audit: 'payer.checked',
    writes: false,
    summary: 'The upcoming sessions that would no longer be allowed after a change to a payer; nothing is saved',
    body: payerBodySchema,
    reply: unfitSessionsSchema,
  }),
  rules: endpoint('GET', '/rules', {
    access: 'signed-in',
    at: 'none',
    audit: 'none',
    summary: 'The clinic’s own limits',
    reply: shownRulesSchema,
  }),
  saveRules: endpoint('PUT', '/rules', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Change the clinic’s own limits',
    body: z.object({ ...rulesSchema.shape, ...EDITED_VERSION }),
    reply: shownRulesSchema,
    refusals: ['stale-version'],
  }),
};
export type HoursReply = z.infer<(typeof ledgersEndpoints)['hours']['reply']>;
export type CareReply = z.infer<(typeof ledgersEndpoints)['care']['reply']>;
export type SupervisionReply = z.infer<(typeof ledgersEndpoints)['supervision']['reply']>;
export type AuthorizationsReply = z.infer<(typeof ledgersEndpoints)['authorizations']['reply']>;
