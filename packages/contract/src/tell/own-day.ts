import * as z from 'zod/mini';
import { eachNotePart } from '../client-marks.ts';
import { ownReportSchema } from '../plan/absence-reports.ts';
import { endpoint } from '../endpoint.ts';
import {
  dateSchema,
  dateText,
  instantText,
  locationSchema,
  noteSchema,
  textSchema,
  timeText,
  wallText,
} from '../wire.ts';

/** How far a therapist's own page reaches, in days before and after today. */
export const OWN_DAYS_BACK = 30;
export const OWN_DAYS_AHEAD = 14;

const serviceSchema = z.enum(['direct', 'supervision', 'parent-training', 'admin']);

/** A session on the therapist's own page. A group session has several clients; administrative time has none. */
const ownSessionShape = {
  start: timeText,
  end: timeText,
  service: serviceSchema,
};

const ownClientSchema = z.object({
  name: z.string(),
  /** Set when the therapist has not been told about this client for all or part of the session. */
  changed: z.boolean(),
  /** Set when the client did not come. */
  no_show: z.boolean(),
  /**
   * Notes about a child whose session the therapist covers today; null on other days, for the therapist's own clients,
   * and if there are no notes.
   */
  note: z.nullable(z.object(eachNotePart(() => z.string()))),
});

const ownDaySessionSchema = z.object({
  ...ownSessionShape,
  /** The clients whom the therapist sees at this time, sorted by name. */
  clients: z.array(ownClientSchema),
  /** The name of the location. */
  place: z.string(),
  /** Set when the therapist took the session over from someone else. */
  cover: z.boolean(),
  /** Set when the therapist has not been told about the session, or about part of it. */
  changed: z.boolean(),
  /** Set when the therapist is asked to take the session, or part of it, and has not said yes. */
  asked: z.optional(z.boolean()),
  /**
   * Set when the next plan decides about this time: the therapist or the client is away then, the therapist said no, or
   * someone is back and the therapist may get a session again that is not theirs now. Other time holds.
   */
  undecided: z.boolean(),
});
export type OwnDaySession = z.infer<typeof ownDaySessionSchema>;

const ownStretchSchema = z.object({ ...ownSessionShape, clients: z.array(z.string()) });

/** What has changed on a date since the therapist was last told, worded as in the coordinators' call list. */
const ownChangeSchema = z.object({
  date: dateText,
  location: locationSchema,
  place: z.string(),
  /** The version of what the therapist must be told; an answer names the version it refers to. */
  version: z.string(),
  /** `ask`: the change counts as agreed only after the therapist says yes. */
  call: z.enum(['ask', 'inform']),
  /** The sentences, without what is undecided; empty if everything is. */
  say: z.array(z.string()),
  /** The same in Spanish. Missing in an older server’s reply. */
  say_es: z.optional(z.array(z.string())),
  /** The sessions that the change took away from the therapist. */
  gone: z.array(ownStretchSchema),
  /**
   * The time that the therapist has lost for now, and that the next plan may give back: no answer is needed. Missing in an
   * older server’s reply.
   */
  undecided: z.optional(z.array(ownStretchSchema)),
  /**
   * Whether the change asks anything of the therapist that they could refuse: a session, or to stand by. Missing in an
   * older server’s reply.
   */
  can_refuse: z.optional(z.boolean()),
  /** When the therapist marked this version as seen. */
  seen_at: z.nullable(instantText),
  /** Set when the therapist said no and the change has stayed the same since. */
  said_no: z.boolean(),
});
export type OwnChange = z.infer<typeof ownChangeSchema>;

export const ownWeekSchema = z.object({
  name: z.string(),
  /** The therapist's language, as their profile says; missing if it does not. */
  language: z.optional(z.enum(['en', 'es'])),
  now: wallText,
  /** The days of the requested week that the page may show, Monday first. */
  days: z.array(z.object({ date: dateText, sessions: z.array(ownDaySessionSchema) })),
  /** The first and last day that the page may show. */
  earliest: dateText,
  latest: dateText,
  /** The changes on any date from today on, by date. */
  changes: z.array(ownChangeSchema),
  /** The therapist's reports of absences that have not ended yet. */
  reports: z.array(ownReportSchema),
});
export type OwnWeek = z.infer<typeof ownWeekSchema>;

/**
 * `seen`: the therapist has read the change, which is enough for a change that only informs them. `yes` and `cannot`
 * answer a change that asks for the therapist's agreement.
 */
export const ownAnswerSchema = z.object({
  date: dateSchema,
  location: locationSchema,
  version: textSchema(64),
  answer: z.enum(['seen', 'yes', 'cannot']),
  /** Only with `cannot`: why the therapist cannot work then. */
  reason: z.optional(noteSchema(500)),
});
export type OwnAnswer = z.infer<typeof ownAnswerSchema>;

/** When the address of the therapist's own calendar was made, and last read by a program; null if there is none. */
export const ownFeedSchema = z.nullable(z.object({ made_at: instantText, read_at: z.nullable(instantText) }));
export type OwnFeed = z.infer<typeof ownFeedSchema>;

/** The type of an iCalendar file (RFC 5545). */
export const CALENDAR_TYPE = 'text/calendar';

export const ownDayEndpoints = {
  ownWeek: endpoint('GET', '/me', {
    access: 'therapist',
    at: 'own',
    audit: 'own-day.read',
    summary: 'Your own days: the week of a date, and what changed',
    query: z.object({ date: z.optional(dateSchema) }),
    reply: ownWeekSchema,
  }),
  /** Replies 409 when the change is no longer what the page showed. */
  answerOwnChange: endpoint('POST', '/me/answer', {
    access: 'therapist',
    at: 'own',
    audit: 'change',
    summary: 'Answer a change to your own day',
    body: ownAnswerSchema,
    status: 204,
    refusals: ['stale-version'],
  }),
  ownFeed: endpoint('GET', '/me/feed', {
    access: 'therapist',
    at: 'own',
    audit: 'none',
    summary: 'Whether other programs can read your own calendar',
    reply: z.object({
      feed: ownFeedSchema,
      /** What it says of clients (`FEED_NAMES`). Missing in an older server’s reply. */
      names: z.optional(z.enum(['off', 'initials', 'names'])),
    }),
  }),
  /** The secret is shown only now. An address made before stops working. */
  makeOwnFeed: endpoint('POST', '/me/feed', {
    access: 'therapist',
    at: 'own',
    audit: 'change',
    summary: 'A new address at which other programs read your own calendar',
    reply: z.object({ secret: z.string() }),
  }),
  endOwnFeed: endpoint('DELETE', '/me/feed', {
    access: 'therapist',
    at: 'own',
    audit: 'change',
    summary: 'End the address of your own calendar',
    status: 204,
  }),
  /** Whoever knows the address may read it: calendar programs cannot log in. It names no client unless `FEED_NAMES` says so. */
  feed: endpoint('GET', '/feeds/:secret', {
    access: 'public',
    at: 'own',
    audit: 'own-day.read',
    atTop: true,
    summary: 'A therapist’s own calendar for other programs',
    params: z.object({ secret: textSchema(64) }),
    otherReply: { types: [CALENDAR_TYPE], text: 'An iCalendar file (RFC 5545).' },
  }),
};
