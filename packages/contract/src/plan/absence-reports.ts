import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, instantText, locationSchema, timeSchema, timeText } from '../wire.ts';
import { proposalReplySchema } from './proposals.ts';

/** The reasons that a therapist can choose from when they report an absence. */
export const OWN_CAUSES = ['sick', 'family-reason', 'leave', 'weather', 'other'] as const;
export type OwnCause = (typeof OWN_CAUSES)[number];

/** How many of a therapist's reports can wait for a coordinator at a time. */
export const MOST_OPEN_REPORTS = 20;

const reportShape = {
  id: z.string(),
  from_date: dateText,
  from_time: timeText,
  to_date: dateText,
  to_time: timeText,
  cause: z.enum(OWN_CAUSES),
};

/** A therapist's report of their own absence. It changes nothing until a coordinator confirms it. */
export const ownReportSchema = z.object({ ...reportShape, state: z.enum(['open', 'confirmed', 'declined']) });
export type OwnReport = z.infer<typeof ownReportSchema>;

/** A report that no coordinator has confirmed or declined yet. */
export const openReportSchema = z.object({ ...reportShape, name: z.string(), reported_at: instantText });
export type OpenReport = z.infer<typeof openReportSchema>;

export const reportBodySchema = z.object({
  from_date: dateSchema,
  from_time: timeSchema,
  to_date: dateSchema,
  to_time: timeSchema,
  cause: z.enum(OWN_CAUSES),
});
export type ReportBody = z.infer<typeof reportBodySchema>;

const idParams = z.object({ id: z.uuid() });
const atLocation = z.object({ location: locationSchema });

export const absenceReportsEndpoints = {
  reportAbsence: endpoint('POST', '/me/absences', {
    access: 'therapist',
    at: 'own',
    audit: 'change',
    summary: 'Report that you cannot come; a coordinator confirms it',
    body: reportBodySchema,
    status: 204,
  }),
  withdrawAbsenceReport: endpoint('POST', '/me/absences/:id/withdraw', {
    access: 'therapist',
    at: 'own',
    audit: 'change',
    summary: 'Take back your own report before a coordinator decides on it',
    params: idParams,
    status: 204,
  }),
  listAbsenceReports: endpoint('GET', '/absence-reports', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'absence-reports.read',
    summary: 'Absences that therapists reported and no one has confirmed yet',
    query: atLocation,
    reply: z.array(openReportSchema),
  }),
  /** Stores the absence as if the coordinator had entered it. */
  confirmAbsenceReport: endpoint('POST', '/absence-reports/:id/confirm', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Confirm a reported absence',
    params: idParams,
    body: atLocation,
    reply: z.array(openReportSchema),
    refusals: ['stale-version'],
  }),
  declineAbsenceReport: endpoint('POST', '/absence-reports/:id/decline', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Decline a reported absence: the therapist is expected',
    params: idParams,
    body: atLocation,
    reply: z.array(openReportSchema),
    refusals: ['stale-version'],
  }),
  /**
   * Returns the day's options as if the report were confirmed. The absence is not stored, so no option can be
   * submitted.
   */
  previewAbsenceReport: endpoint('POST', '/absence-reports/:id/preview', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    writes: false,
    summary: 'The options that a day would have with the report confirmed',
    params: idParams,
    body: z.object({ location: locationSchema, date: dateSchema }),
    reply: proposalReplySchema,
    refusals: ['stale-version', 'solver-failed'],
  }),
};
