import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateKeySchema, dateSchema, dateText, instantText, locationSchema, textSchema } from '../wire.ts';
import { coverFiguresShape } from './figures.ts';

const chosenSchema = z.looseObject({
  optionName: textSchema(40),
  clientName: textSchema(200),
  branch_state: textSchema(200),
  timeSlots: z.record(
    z.string(),
    z.looseObject({ therapist: z.string(), status: z.string(), branch_state: z.optional(z.string()) }),
  ),
});

export const actionsBodySchema = z.object({
  selectedOptions: z.record(dateKeySchema, z.record(z.string(), textSchema(40))),
  selectedOptionsFullData: z.record(dateKeySchema, z.record(z.string(), chosenSchema)),
  solutions: z.record(z.string(), z.unknown()),
  metadata: z.looseObject({
    proposal: textSchema(64),
    revision: z.number(),
    location: z.optional(z.string()),
    day: z.optional(z.string()),
  }),
  backed_up_therapists: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});
export type ActionsBody = z.infer<typeof actionsBodySchema>;

/** One line of the workbook's Actions sheet. */
const actionRowSchema = z.object({
  date: z.string(),
  client: z.string(),
  time: z.string(),
  from_therapist: z.string(),
  to_therapist: z.string(),
  status: z.string(),
  location: z.string(),
  subject: z.string(),
  appointment_id: z.string(),
  reason: z.string(),
});

/** A commit's figures: counts, and minutes of care. `people` is the number of people to notify. */
const commitFiguresSchema = z.object({
  ...coverFiguresShape,
  people: z.number(),
});
export type CommitFigures = z.infer<typeof commitFiguresSchema>;

export const actionsReplySchema = z.object({
  commit: z.string(),
  /** Left out for a commit made before the server stored figures. */
  figures: z.optional(commitFiguresSchema),
  actions: z.array(actionRowSchema),
  by_therapist: z.array(
    z.object({
      therapist: z.string(),
      date: z.string(),
      time: z.string(),
      client: z.string(),
      subject: z.string(),
      status: z.string(),
    }),
  ),
  /** `say` begins with what a call waits for: a new plan (`… see the new options before you call.`) or a yes. */
  calls: z.array(
    z.object({
      who: z.string(),
      kind: z.enum(['family', 'therapist']),
      date: z.string(),
      say: z.string(),
      /** The words alone in Spanish; missing when no contact speaks it. */
      say_es: z.optional(z.string()),
    }),
  ),
  uncovered: z.array(
    z.object({
      date: z.string(),
      client: z.string(),
      time: z.string(),
      minutes: z.number(),
      subject: z.string(),
      booked_therapist: z.string(),
    }),
  ),
});
export type ActionsReply = z.infer<typeof actionsReplySchema>;

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const WORKBOOK_NAME = 'schedule_actions.xlsx';
/** The response header that holds the id of a workbook's commit. */
export const COMMIT_HEADER = 'x-commit';
/** The response header that holds how many sessions a workbook's commit changed, as in `figures`. */
export const CHANGES_HEADER = 'x-changes';

export const commitSummarySchema = z.object({
  id: z.string(),
  location: locationSchema,
  dates: z.array(dateText),
  /** When the commit was made, in ISO 8601, UTC. */
  committed_at: instantText,
  committed_by: z.string(),
  clients: z.array(z.string()),
  option: z.string(),
  changes: z.number(),
  minutes_kept: z.number(),
  /** The commit's figures; left out for a commit made before the server stored figures. */
  sessions: z.optional(z.number()),
  minutes_needed: z.optional(z.number()),
  minutes_uncovered: z.optional(z.number()),
  people: z.optional(z.number()),
  undone_at: z.nullable(instantText),
  undone_by: z.nullable(z.string()),
  /** Only in lists: why the commit cannot be undone; null when it can be. */
  cannot_undo: z.optional(z.nullable(z.string())),
});
export type CommitSummary = z.infer<typeof commitSummarySchema>;

const WORKBOOK = {
  otherReply: { types: [WORKBOOK_TYPE] },
  replyHeaders: {
    [COMMIT_HEADER]: 'With a workbook: the id of its commit',
    [CHANGES_HEADER]: 'With a workbook: how many sessions its commit changes',
    'content-disposition': "With a workbook: the file's name",
  },
} as const;

export const actionsEndpoints = {
  /** Commits the chosen options. Returns the workbook unless `Accept` names JSON. */
  actions: endpoint('POST', '/actions', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Write the chosen options to the calendar',
    headers: z.object({ 'idempotency-key': z.optional(z.string().check(z.minLength(1), z.maxLength(200))) }),
    body: actionsBodySchema,
    reply: actionsReplySchema,
    ...WORKBOOK,
    refusals: ['not-found', 'already-committed', 'key-reused'],
  }),
  commits: endpoint('GET', '/commits', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'commits.read',
    summary: 'What was submitted on a day',
    query: z.object({ location: locationSchema, date: dateSchema }),
    reply: z.array(commitSummarySchema),
  }),
  /** Returns the workbook of a commit again, byte for byte. */
  workbook: endpoint('GET', '/commits/:id/workbook', {
    access: 'signed-in',
    at: 'found',
    audit: 'workbook.read',
    summary: 'The workbook of a commit',
    params: z.object({ id: z.uuid() }),
    ...WORKBOOK,
  }),
  undo: endpoint('POST', '/commits/:id/undo', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Undo a commit',
    params: z.object({ id: z.uuid() }),
    reply: commitSummarySchema,
  }),
};
