import * as z from 'zod/mini';
import { AUTHORIZATION_PERIODS } from '@clinic/domain';
import { endpoint } from './endpoint.ts';
import { rulesSchema } from './rules.ts';
import { dateSchema, dateText, locationSchema, textSchema, timeText } from './wire.ts';

/** A therapist's hours around a date; all in minutes. */
const hoursRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  credential: z.string(),
  /** Of the week, Monday to Sunday. */
  booked: z.number(),
  /** Of that, what has ended. */
  worked: z.number(),
  /** Taken over from others in the 7 and the 28 days that end with the date. */
  cover_7: z.number(),
  cover_28: z.number(),
  /** The most of the week. */
  most: z.number(),
  guaranteed: z.nullable(z.number()),
  /** What may still be added, of the week or of the date, whichever is less. */
  left: z.number(),
});
export type HoursRow = z.infer<typeof hoursRowSchema>;

/** A rule that is off for some people, because nothing is recorded for them. */
const ruleOffSchema = z.object({ rule: z.string(), people: z.number(), words: z.string() });

/** One session behind a figure. */
const ledgerSessionSchema = z.object({
  key: z.string(),
  location: locationSchema,
  date: dateText,
  start: timeText,
  end: timeText,
  /** Null: administrative time, or a client of a location that the account may not see. */
  client: z.nullable(z.string()),
  subject: z.string(),
  /** It was another therapist's. */
  cover: z.boolean(),
});
export type LedgerSession = z.infer<typeof ledgerSessionSchema>;

/** A client's care in the four weeks before a date; in minutes. */
const careRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Cancelled time included. */
  booked: z.number(),
  delivered: z.number(),
  lost: z.number(),
  /** Percent: how much an hour of the client without a therapist weighs in a plan. */
  priority: z.number(),
  by_hand: z.boolean(),
  /** Of all live authorizations, in their periods; null: none is known. */
  authorized: z.nullable(z.number()),
  left: z.nullable(z.number()),
});
export type CareRow = z.infer<typeof careRowSchema>;

const careSessionSchema = z.object({
  key: z.string(),
  location: locationSchema,
  date: dateText,
  start: timeText,
  end: timeText,
  subject: z.string(),
  booked: z.number(),
  delivered: z.number(),
});
export type CareSession = z.infer<typeof careSessionSchema>;

/** An RBT's supervision in a month; in minutes. */
const supervisionRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Direct sessions of the whole month. */
  direct: z.number(),
  needed: z.number(),
  /** Supervised before the date, and what the month still holds from the date on. */
  done: z.number(),
  ahead: z.number(),
  contacts: z.number(),
  contacts_ahead: z.number(),
  contacts_needed: z.number(),
  /** The month, as it is booked, holds too little. */
  at_risk: z.boolean(),
});
export type SupervisionRow = z.infer<typeof supervisionRowSchema>;

/** One direct session of an RBT, and the part of it that was supervised. */
const supervisedSessionSchema = z.object({
  key: z.string(),
  location: locationSchema,
  date: dateText,
  start: timeText,
  end: timeText,
  /** Null: a client of a location that the account may not see. */
  client: z.nullable(z.string()),
  subject: z.string(),
  direct: z.number(),
  supervised: z.number(),
});
export type SupervisedSession = z.infer<typeof supervisedSessionSchema>;

/** A live authorization, and what earlier dates used of its period; in minutes of its units. */
const authorizationRowSchema = z.object({
  id: z.string(),
  client_id: z.string(),
  /** The client's. */
  name: z.string(),
  payer: z.string(),
  code: z.string(),
  number: z.string(),
  from_date: dateText,
  until_date: dateText,
  period: z.enum(AUTHORIZATION_PERIODS),
  authorized: z.number(),
  delivered: z.number(),
  left: z.number(),
});
export type AuthorizationRow = z.infer<typeof authorizationRowSchema>;

/** A session, and the authorization against whose units it counts. */
const authorizedSessionSchema = z.object({ ...careSessionSchema.shape, authorization: z.string() });
export type AuthorizedSession = z.infer<typeof authorizedSessionSchema>;

const place = z.object({ location: locationSchema, date: dateSchema });

export const ledgersEndpoints = {
  hours: endpoint({
    method: 'GET',
    path: '/ledgers/hours',
    access: 'signed-in',
    summary: 'The hours of a location’s therapists around a date',
    query: place,
    reply: z.object({ from: dateText, until: dateText, rows: z.array(hoursRowSchema), off: z.array(ruleOffSchema) }),
  }),
  hoursSessions: endpoint({
    method: 'GET',
    path: '/ledgers/hours/:id',
    access: 'signed-in',
    summary: 'The sessions behind a therapist’s hours',
    params: z.object({ id: textSchema(64) }),
    query: z.object({ date: dateSchema }),
    reply: z.array(ledgerSessionSchema),
  }),
  care: endpoint({
    method: 'GET',
    path: '/ledgers/care',
    access: 'signed-in',
    summary: 'The care of a location’s clients in the four weeks before a date',
    query: place,
    reply: z.object({
      from: dateText,
      until: dateText,
      rows: z.array(careRowSchema),
      off: z.array(ruleOffSchema),
    }),
  }),
  careSessions: endpoint({
    method: 'GET',
    path: '/ledgers/care/:id',
    access: 'signed-in',
    summary: 'The sessions behind a client’s care',
    params: z.object({ id: textSchema(64) }),
    query: z.object({ date: dateSchema }),
    reply: z.array(careSessionSchema),
  }),
  supervision: endpoint({
    method: 'GET',
    path: '/ledgers/supervision',
    access: 'signed-in',
    summary: 'The supervision of a location’s RBTs in the month of a date',
    query: place,
    reply: z.object({
      from: dateText,
      until: dateText,
      rows: z.array(supervisionRowSchema),
      off: z.array(ruleOffSchema),
    }),
  }),
  supervisedSessions: endpoint({
    method: 'GET',
    path: '/ledgers/supervision/:id',
    access: 'signed-in',
    summary: 'The sessions behind an RBT’s supervision',
    params: z.object({ id: textSchema(64) }),
    query: z.object({ date: dateSchema }),
    reply: z.array(supervisedSessionSchema),
  }),
  authorizations: endpoint({
    method: 'GET',
    path: '/ledgers/authorizations',
    access: 'signed-in',
    summary: 'The authorizations of a location’s clients that are live on a date, and what was used of them',
    query: place,
    reply: z.object({
      rows: z.array(authorizationRowSchema),
      /** Clients with authorizations of which none is live. */
      lapsed: z.array(z.string()),
      off: z.array(ruleOffSchema),
    }),
  }),
  authorizedSessions: endpoint({
    method: 'GET',
    path: '/ledgers/authorizations/:id',
    access: 'signed-in',
    summary: 'The sessions that count against a client’s live authorizations',
    params: z.object({ id: textSchema(64) }),
    query: z.object({ date: dateSchema }),
    reply: z.array(authorizedSessionSchema),
  }),
  rules: endpoint({
    method: 'GET',
    path: '/rules',
    access: 'signed-in',
    summary: 'The clinic’s own limits',
    reply: rulesSchema,
  }),
  saveRules: endpoint({
    method: 'PUT',
    path: '/rules',
    access: 'admin',
    summary: 'Change the clinic’s own limits',
    body: rulesSchema,
    reply: rulesSchema,
  }),
};
export type HoursReply = z.infer<(typeof ledgersEndpoints)['hours']['reply']>;
export type CareReply = z.infer<(typeof ledgersEndpoints)['care']['reply']>;
export type SupervisionReply = z.infer<(typeof ledgersEndpoints)['supervision']['reply']>;
export type AuthorizationsReply = z.infer<(typeof ledgersEndpoints)['authorizations']['reply']>;
