import * as z from 'zod/mini';
import { eachNotePart } from '../profile-fields.ts';
import { ownReportSchema } from './absence-reports.ts';
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

/** A session of the therapist who asks. */
const ownSessionShape = {
  start: timeText,
  end: timeText,
  /** The child's display name; null: administrative time, or a session without a client. */
  client: z.nullable(z.string()),
  service: serviceSchema,
};

const ownDaySessionSchema = z.object({
  ...ownSessionShape,
  /** The location's name. */
  place: z.string(),
  /** Taken over from someone else. */
  cover: z.boolean(),
  /** They have not been told of it, or not of all of it. */
  changed: z.boolean(),
  /** What helps with a child whom they cover today; null on every other day, and for their own clients. */
  note: z.nullable(z.object(eachNotePart(() => z.string()))),
  /** The client did not come. */
  no_show: z.boolean(),
});
export type OwnDaySession = z.infer<typeof ownDaySessionSchema>;

/** What changed on a date since the therapist was last told: the same line as on the coordinators' call list. */
const ownChangeSchema = z.object({
  date: dateText,
  location: locationSchema,
  place: z.string(),
  /** Changes with what there is to say; an answer names the version it is about. */
  version: z.string(),
  /** `ask`: it counts as agreed only when they say yes. */
  call: z.enum(['ask', 'inform']),
  say: z.array(z.string()),
  /** What they no longer have. */
  gone: z.array(z.object(ownSessionShape)),
  /** When they marked this version as seen. */
  seen_at: z.nullable(instantText),
  /** They said no, and this is still as it was then. */
  said_no: z.boolean(),
});
export type OwnChange = z.infer<typeof ownChangeSchema>;

export const ownWeekSchema = z.object({
  name: z.string(),
  now: wallText,
  /** The seven days asked for that the page may show, Monday first. */
  days: z.array(z.object({ date: dateText, sessions: z.array(ownDaySessionSchema) })),
  /** The first and last day that the page may show. */
  earliest: dateText,
  latest: dateText,
  /** On any date from today on, in order. */
  changes: z.array(ownChangeSchema),
  /** Absences that they reported, if not over. */
  reports: z.array(ownReportSchema),
});
export type OwnWeek = z.infer<typeof ownWeekSchema>;

/** `seen`: read, and for a change that only informs, this is all that is wanted. `yes` and `cannot` answer a question. */
export const ownAnswerSchema = z.object({
  date: dateSchema,
  location: locationSchema,
  version: textSchema(64),
  answer: z.enum(['seen', 'yes', 'cannot']),
  /** Why they cannot. */
  reason: z.optional(noteSchema(500)),
});
export type OwnAnswer = z.infer<typeof ownAnswerSchema>;

export const ownDayEndpoints = {
  ownWeek: endpoint({
    method: 'GET',
    path: '/me',
    access: 'therapist',
    summary: 'Your own days: the week of a date, and what changed',
    query: z.object({ date: z.optional(dateSchema) }),
    reply: ownWeekSchema,
  }),
  /** 409: the change is no longer as it was shown. */
  answerOwnChange: endpoint({
    method: 'POST',
    path: '/me/answer',
    access: 'therapist',
    summary: 'Answer a change of your own day',
    body: ownAnswerSchema,
    status: 204,
    refusals: ['stale-version'],
  }),
};
