import * as z from 'zod/mini';
import { parseTime } from '@clinic/domain';
import { endpoint } from './endpoint.ts';
import {
  conflictSchema,
  dateSchema,
  dateText,
  genderSchema,
  locationSchema,
  nameSchema,
  specializationSchema,
  textSchema,
  timeSchema,
  timeText,
} from './wire.ts';

/** A weekly window. Days count from Sunday (0) to Saturday (6). */
export const availabilityEntrySchema = z
  .object({
    id: z.optional(z.nullable(textSchema(64))),
    day_of_week: z.int().check(z.gte(0, 'a day from 0 (Sunday) to 6'), z.lte(6, 'a day from 0 (Sunday) to 6')),
    start_time: timeSchema,
    end_time: timeSchema,
  })
  .check(
    z.refine((a) => (parseTime(a.start_time) ?? 0) < (parseTime(a.end_time) ?? 0), {
      error: 'the end must be after the start',
      path: ['end_time'],
    }),
  );
export type AvailabilityEntry = z.infer<typeof availabilityEntrySchema>;

/** The week of a new therapist: Monday to Friday, nine to five (PROF-07). */
export const NEW_THERAPIST_WEEK = [1, 2, 3, 4, 5].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}));

export const therapistBodySchema = z.object({
  first_name: nameSchema,
  last_name: nameSchema,
  location: locationSchema,
  specialization: specializationSchema,
  gender: genderSchema,
  start_date: dateSchema,
  consistency: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(100)))),
  /** When left out: a new therapist's week (PROF-07), otherwise what is stored. */
  availability: z.optional(z.array(availabilityEntrySchema).check(z.maxLength(100))),
  /** The version that was edited; saving over a newer one is refused with 409. */
  version: z.optional(z.int()),
});
export type TherapistBody = z.infer<typeof therapistBodySchema>;

export const therapistSchema = z.looseObject({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  display_name: z.string(),
  location: locationSchema,
  specialization: specializationSchema,
  gender: genderSchema,
  start_date: dateText,
  consistency: z.nullable(z.number()),
  availability: z.array(
    z.object({ id: z.string(), day_of_week: z.number(), start_time: timeText, end_time: timeText }),
  ),
  version: z.number(),
});
export type Therapist = z.infer<typeof therapistSchema>;

/**
 * gender: only therapists of that gender, `male` or `female`. therapist: the id of a therapist who must never serve the
 * client.
 */
export const restrictionSchema = z.object({ type: z.enum(['gender', 'therapist']), restriction: textSchema(64) }).check(
  z.refine((r) => r.type !== 'gender' || /^(male|female)$/i.test(r.restriction), {
    error: 'a gender restriction is male or female',
    path: ['restriction'],
  }),
  z.refine((r) => r.restriction.trim() !== '', { error: 'choose a value', path: ['restriction'] }),
);
export type WireRestriction = z.infer<typeof restrictionSchema>;

/**
 * The yes-or-no fields of a client. A new one starts here, with its words in the web's `field-labels.ts`; form, card,
 * view and comparison follow, and the compiler asks for its column.
 */
export const CLIENT_MARKS = ['care_team_only', 'rbt_or_above', 'two_to_one'] as const;
export type ClientMark = (typeof CLIENT_MARKS)[number];
/** A value for each of them. */
export const eachClientMark = <T>(of: (mark: ClientMark) => T): Record<ClientMark, T> =>
  Object.fromEntries(CLIENT_MARKS.map((mark) => [mark, of(mark)])) as Record<ClientMark, T>;

export const clientBodySchema = z.object({
  first_name: nameSchema,
  last_name: nameSchema,
  location: locationSchema,
  gender: genderSchema,
  /** When left out: none for a new client, otherwise what is stored. */
  restrictions: z.optional(z.array(restrictionSchema).check(z.maxLength(1000))),
  ...eachClientMark(() => z.optional(z.boolean())),
  version: z.optional(z.int()),
});
export type ClientBody = z.infer<typeof clientBodySchema>;

export const clientSchema = z.looseObject({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  display_name: z.string(),
  location: locationSchema,
  gender: genderSchema,
  restrictions: z.array(z.object({ type: z.enum(['gender', 'therapist']), restriction: z.string() })),
  ...eachClientMark(() => z.boolean()),
  version: z.number(),
});
export type Client = z.infer<typeof clientSchema>;

/** Future sessions that fit now but would not fit after a save: how many, and the first of them with the reason. */
export const brokenSessionsSchema = z.object({ total: z.number(), sessions: z.array(conflictSchema) });
export type BrokenSessions = z.infer<typeof brokenSessionsSchema>;

const idParams = z.object({ id: textSchema(64) });
/** Left out: all locations that the account may see. */
const listQuery = z.object({ location: z.optional(locationSchema) });

export const profilesEndpoints = {
  listTherapists: endpoint({
    method: 'GET',
    path: '/therapists',
    access: 'signed-in',
    summary: 'All therapists',
    query: listQuery,
    reply: z.array(therapistSchema),
  }),
  getTherapist: endpoint({
    method: 'GET',
    path: '/therapists/:id',
    access: 'signed-in',
    summary: 'One therapist',
    params: idParams,
    reply: therapistSchema,
  }),
  createTherapist: endpoint({
    method: 'POST',
    path: '/therapists',
    access: 'signed-in',
    summary: 'Add a therapist',
    body: therapistBodySchema,
    reply: therapistSchema,
    status: 201,
  }),
  updateTherapist: endpoint({
    method: 'PUT',
    path: '/therapists/:id',
    access: 'signed-in',
    summary: 'Save a therapist',
    params: idParams,
    body: therapistBodySchema,
    reply: therapistSchema,
    refusals: ['stale-version'],
  }),
  checkTherapist: endpoint({
    method: 'POST',
    path: '/therapists/:id/check',
    access: 'signed-in',
    summary: 'Which sessions to come a save of a therapist would break; saves nothing',
    params: idParams,
    body: therapistBodySchema,
    reply: brokenSessionsSchema,
  }),
  /** 409 names the future appointments unless `appointments=unassign`, which turns them into needs cover. */
  deleteTherapist: endpoint({
    method: 'DELETE',
    path: '/therapists/:id',
    access: 'signed-in',
    summary: 'Delete a therapist',
    params: idParams,
    query: z.object({ appointments: z.optional(z.literal('unassign')) }),
    status: 204,
  }),
  listClients: endpoint({
    method: 'GET',
    path: '/clients',
    access: 'signed-in',
    summary: 'All clients',
    query: listQuery,
    reply: z.array(clientSchema),
  }),
  getClient: endpoint({
    method: 'GET',
    path: '/clients/:id',
    access: 'signed-in',
    summary: 'One client',
    params: idParams,
    reply: clientSchema,
  }),
  createClient: endpoint({
    method: 'POST',
    path: '/clients',
    access: 'signed-in',
    summary: 'Add a client',
    body: clientBodySchema,
    reply: clientSchema,
    status: 201,
  }),
  updateClient: endpoint({
    method: 'PUT',
    path: '/clients/:id',
    access: 'signed-in',
    summary: 'Save a client',
    params: idParams,
    body: clientBodySchema,
    reply: clientSchema,
    refusals: ['stale-version'],
  }),
  checkClient: endpoint({
    method: 'POST',
    path: '/clients/:id/check',
    access: 'signed-in',
    summary: 'Which sessions to come a save of a client would break; saves nothing',
    params: idParams,
    body: clientBodySchema,
    reply: brokenSessionsSchema,
  }),
};
