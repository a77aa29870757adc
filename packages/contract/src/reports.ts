import * as z from 'zod/mini';
import { keysOf, LOSS_SIDES, mapValues, type Location } from '@clinic/domain';
import { WORKBOOK_TYPE } from './plan/commits.ts';
import { endpoint } from './endpoint.ts';
import { ruleOffSchema } from './ledgers.ts';
import { dateSchema, dateText, locationSchema, textSchema, timeText } from './wire.ts';

/**
 * What each figure of a report is called, in the order of the columns on the page and in files. All are minutes of
 * sessions with clients.
 */
export const REPORT_FIGURE_WORDS = {
  booked: 'Booked',
  kept: 'Kept',
  billable: 'Billable',
  lost: 'Lost',
  late: 'Late notice',
  open: 'Open',
  covered: 'Covered',
  made_up: 'Made up',
} as const;
export type ReportFigure = keyof typeof REPORT_FIGURE_WORDS;
export const REPORT_FIGURES: readonly ReportFigure[] = keysOf(REPORT_FIGURE_WORDS);

/** The explanation of the billable figure, as the page and the files show it. */
export const BILLABLE_WORDS =
  'Billable: kept time in whole units of 15 minutes, for each code and day. Time with two codes that may not be billed together counts once.';

/** The maximum number of days in a report: a quarter of a year. */
export const MOST_REPORT_DAYS = 93;

/** How a report's hours are grouped. `side`: by the party that caused the loss (therapist, family, clinic or payer). */
export type Grouping = 'cause' | 'side' | 'client' | 'therapist' | 'location' | 'weekday' | 'day';
export type ReportBy = Grouping | 'total';
/** What each grouping is called, in its order on the page and in files. */
export const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  cause: 'Reason',
  side: 'Caused by',
  client: 'Client',
  therapist: 'Therapist',
  location: 'Location',
  weekday: 'Day of week',
  day: 'Day',
};
export const GROUPINGS: readonly Grouping[] = keysOf(GROUPING_WORDS);
/** The title of a grouping's table: `By client`, `Caused by`. */
export const groupingTitle = (by: Grouping): string =>
  by === 'side' ? GROUPING_WORDS.side : `By ${GROUPING_WORDS[by].toLowerCase()}`;

/**
 * `booked` is `kept` + `lost` + `open`. `covered` and `made_up` are included in `kept`, and `late` in `lost`.
 * `billable` is kept time in whole units. Time under codes that may not be billed together counts only once.
 */
const hoursSchema = z.object(mapValues(REPORT_FIGURE_WORDS, () => z.number()));

const groupSchema = z.object({
  key: z.string(),
  label: z.string(),
  sessions: z.number(),
  ...hoursSchema.shape,
  /** The minutes that a therapist, or all therapists together, are available at the report's locations on its dates. */
  available: z.optional(z.number()),
  /**
   * The minutes that a therapist, or all therapists together, worked in kept sessions. Simultaneous sessions, as in a
   * group, count once.
   */
  worked: z.optional(z.number()),
});
export type ReportGroup = z.infer<typeof groupSchema>;

const rangeShape = {
  /** Without a location, the report covers every location that the account may see. */
  location: z.optional(locationSchema),
  from: dateSchema,
  to: dateSchema,
};

const loadSchema = z.nullable(
  z.object({
    therapist: z.string(),
    minutes: z.number(),
    /** How many other therapists covered just as much. */
    others: z.number(),
  }),
);

/** Who covered the most or the least, as the page and the files show it: `Ana Ruiz and 2 others`. */
export const coveredBy = (load: z.infer<typeof loadSchema>): string =>
  load === null
    ? ''
    : load.others === 0
      ? load.therapist
      : `${load.therapist} and ${load.others} ${load.others === 1 ? 'other' : 'others'}`;

export const reportReplySchema = z.object({
  from: dateText,
  to: dateText,
  locations: z.array(locationSchema),
  total: groupSchema,
  groups: z.object(mapValues(GROUPING_WORDS, () => z.array(groupSchema))),
  /**
   * The therapists at these locations who covered the most and the least, and the median cover; `most` and `least` are
   * null when there are no therapists.
   */
  cover: z.object({ most: loadSchema, median: z.number(), least: loadSchema }),
  /** Rules that do not apply to some people because nothing is recorded for them. */
  off: z.array(ruleOffSchema),
});
export type ReportReply = z.infer<typeof reportReplySchema>;

export const reportSessionsSchema = z.object({
  /** How many sessions, or pieces of sessions, make up the figure; the reply lists at most 500 of them. */
  count: z.number(),
  sessions: z.array(
    z.object({
      key: z.string(),
      location: locationSchema,
      date: dateText,
      start: timeText,
      end: timeText,
      client: z.string(),
      therapist: z.string(),
      subject: z.string(),
      /** The minutes that the session adds to the figure. */
      minutes: z.number(),
      /** The causes of the session's lost time; empty when no time was lost. */
      causes: z.array(z.object({ label: z.nullable(z.string()), side: z.enum(LOSS_SIDES), late: z.boolean() })),
    }),
  ),
});
export type ReportSessions = z.infer<typeof reportSessionsSchema>;

/** The name of a report's file. */
export const reportFileName = (
  { location, from, to }: { location?: Location | undefined; from: string; to: string },
  format: 'csv' | 'xlsx',
): string => `report ${location ?? 'all locations'} ${from} to ${to}.${format}`;

export const reportsEndpoints = {
  readReport: endpoint('GET', '/reports', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'report.read',
    summary: 'Hours of care in a range: booked, kept, lost and why, by several groups',
    query: z.object(rangeShape),
    reply: reportReplySchema,
  }),
  reportSessions: endpoint('GET', '/reports/sessions', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'report.read',
    summary: 'The sessions behind one figure of a report',
    query: z.object({
      ...rangeShape,
      by: z.enum(['total', ...GROUPINGS]),
      /** The key of a group in the report. */
      key: z.optional(textSchema(80)),
      figure: z.enum(REPORT_FIGURES),
    }),
    reply: reportSessionsSchema,
  }),
  reportFile: endpoint('GET', '/reports/file', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'report.saved',
    summary: 'A report as CSV or XLSX',
    query: z.object({ ...rangeShape, format: z.enum(['csv', 'xlsx']) }),
    otherReply: { types: ['text/csv', WORKBOOK_TYPE] },
  }),
};
