// This file is over 250 lines because therapists and clients share their five endpoints and most of their schemas.
import * as z from 'zod/mini';
import { parseTime } from '@clinic/domain';
import type { ReadAction } from './audit-actions.ts';
import { authorizationSchema, MOST_AUTHORIZATIONS, shownAuthorizationSchema } from './authorizations.ts';
import { contactSchema, MOST_CONTACTS, shownContactSchema } from './contacts.ts';
import { endpoint } from './endpoint.ts';
import { CLIENT_FIELDS, schemasOf, THERAPIST_FIELDS } from './profile-fields.ts';
import { credentialSchema, MOST_TAGS, needSchema, shownCredentialSchema, shownTagSchema, tagSchema } from './tags.ts';
import { conflictSchema, dateSchema, dateText, locationSchema, textSchema, timeSchema, timeText } from './wire.ts';

/** Available hours on one day of every week, from Sunday (0) to Saturday (6). */
export const availabilityEntrySchema = z
  .object({
    id: z.optional(z.nullable(textSchema(64))),
    day_of_week: z.int().check(z.gte(0, 'a day from 0 (Sunday) to 6'), z.lte(6, 'a day from 0 (Sunday) to 6')),
    start_time: timeSchema,
    end_time: timeSchema,
    /** The first and last date on which the window is valid, both included; null or left out for no limit. */
    from_date: z.optional(z.nullable(dateSchema)),
    until_date: z.optional(z.nullable(dateSchema)),
  })
  .check(
    z.refine((a) => (parseTime(a.start_time) ?? 0) < (parseTime(a.end_time) ?? 0), {
      error: 'the end must be after the start',
      path: ['end_time'],
    }),
    z.refine(({ from_date, until_date }) => !from_date || !until_date || from_date <= until_date, {
      error: 'the last day must be on or after the first',
      path: ['until_date'],
    }),
  );
/** The maximum number of weekly windows in a profile. */
export const MOST_WINDOWS = 100;
export type AvailabilityEntry = z.infer<typeof availabilityEntrySchema>;

/** The week of a new therapist: Monday to Friday, nine to five (PROF-07). */
export const NEW_THERAPIST_WEEK = [1, 2, 3, 4, 5].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}));

/** What every reply about a profile contains besides the profile's fields. */
const STORED = { id: z.string(), display_name: z.string(), version: z.number() };
/** If left out, the stored contacts stay; a new profile has none. */
const CONTACTS = { contacts: z.optional(z.array(contactSchema).check(z.maxLength(MOST_CONTACTS))) };
/** Only in the reply about one profile; lists leave it out. */
const SHOWN_CONTACTS = { contacts: z.optional(z.array(shownContactSchema)) };
/** The version that was edited. If someone has saved a newer version, the reply is a 409. */
const VERSION = { version: z.optional(z.int()) };

const therapistBody = z.object({
  ...schemasOf(THERAPIST_FIELDS, 'body'),
  /** If left out, the stored availability stays; a new therapist gets `NEW_THERAPIST_WEEK` (PROF-07). */
  availability: z.optional(z.array(availabilityEntrySchema).check(z.maxLength(MOST_WINDOWS))),
  /** If left out, the stored credentials and tags stay; a new therapist has none. */
  credentials: z.optional(z.array(credentialSchema).check(z.maxLength(MOST_TAGS))),
  tags: z.optional(z.array(tagSchema).check(z.maxLength(MOST_TAGS))),
  ...CONTACTS,
  ...VERSION,
});
export const therapistBodySchema = therapistBody.check(
  z.refine(({ start_date, end_date }) => !end_date || start_date <= end_date, {
    error: 'the last day must be on or after the first',
    path: ['end_date'],
  }),
);
export type TherapistBody = z.infer<typeof therapistBodySchema>;

export const therapistSchema = z.looseObject({
  ...STORED,
  ...schemasOf(THERAPIST_FIELDS, 'reply'),
  availability: z.array(
    z.object({
      id: z.string(),
      day_of_week: z.number(),
      start_time: timeText,
      end_time: timeText,
      /** Set when a window is valid only on some dates. */
      from_date: z.optional(z.nullable(dateText)),
      until_date: z.optional(z.nullable(dateText)),
    }),
  ),
  credentials: z.array(shownCredentialSchema),
  tags: z.array(shownTagSchema),
  ...SHOWN_CONTACTS,
});
export type Therapist = z.infer<typeof therapistSchema>;

/**
 * `gender`: only therapists of that gender (`male` or `female`) may serve the client. `therapist`: the therapist with
 * this id may never serve the client.
 */
export const restrictionSchema = z.object({ type: z.enum(['gender', 'therapist']), restriction: textSchema(64) }).check(
  z.refine((r) => r.type !== 'gender' || /^(male|female)$/i.test(r.restriction), {
    error: 'a gender restriction is male or female',
    path: ['restriction'],
  }),
  z.refine((r) => r.restriction.trim() !== '', { error: 'choose a value', path: ['restriction'] }),
);
export type WireRestriction = z.infer<typeof restrictionSchema>;

export const clientBodySchema = z.object({
  ...schemasOf(CLIENT_FIELDS, 'body'),
  /** If left out, the stored restrictions stay; a new client has none. */
  restrictions: z.optional(z.array(restrictionSchema).check(z.maxLength(1000))),
  /** If left out, the stored needs stay; a new client has none. */
  needs: z.optional(z.array(needSchema).check(z.maxLength(MOST_TAGS))),
  /** If left out, the stored authorizations stay; a new client has none. */
  authorizations: z.optional(z.array(authorizationSchema).check(z.maxLength(MOST_AUTHORIZATIONS))),
  ...CONTACTS,
  ...VERSION,
});
export type ClientBody = z.infer<typeof clientBodySchema>;

export const clientSchema = z.looseObject({
  ...STORED,
  ...schemasOf(CLIENT_FIELDS, 'reply'),
  restrictions: z.array(z.object({ type: z.enum(['gender', 'therapist']), restriction: z.string() })),
  needs: z.array(needSchema),
  /** Only in the reply about one profile; lists leave it out. */
  authorizations: z.optional(z.array(shownAuthorizationSchema)),
  ...SHOWN_CONTACTS,
});
export type Client = z.infer<typeof clientSchema>;

/**
 * The future sessions that would no longer be allowed after a save: their number, and the first few with the reason.
 */
export const unfitSessionsSchema = z.object({
  total: z.number(),
  /**
   * How many of them would not fit with another therapist either, because of the client's location or authorizations;
   * not sent if there are none.
   */
  not_by_cover: z.optional(z.number()),
  sessions: z.array(z.extend(conflictSchema, { location: locationSchema })),
});
export type UnfitSessions = z.infer<typeof unfitSessionsSchema>;

/** How many sessions one save can leave without a therapist. */
export const MOST_UNASSIGNED = 1000;

/** With `sessions=unassign`, sessions that are no longer allowed after the save lose their therapist and need cover. */
export const unassigningQuery = z.object({ sessions: z.optional(z.literal('unassign')) });

const idParams = z.object({ id: textSchema(64) });
/** Without a location, the list covers all locations that the account may see. */
const listQuery = z.object({
  location: z.optional(locationSchema),
  /** `with`: people who have left, too. */
  left: z.optional(z.literal('with')),
});

/** The five endpoints that therapist and client profiles have in common. */
const callsOf = <
  const R extends Record<'listed' | 'read' | 'checked', ReadAction | 'none'>,
  B extends z.ZodMiniType,
  P extends z.ZodMiniType,
>(
  { path, one, many, ...reads }: { path: string; one: string; many: string } & R,
  body: B,
  reply: P,
) => ({
  list: endpoint('GET', path, {
    access: 'signed-in',
    at: 'query.location',
    audit: reads.listed,
    summary: `All ${many}`,
    query: listQuery,
    reply: z.array(reply),
    shape: [{ id: 0 }],
  }),
  get: endpoint('GET', `${path}/:id`, {
    access: 'signed-in',
    at: 'found',
    audit: reads.read,
    summary: `One ${one}`,
    params: idParams,
    reply,
    shape: { id: 0 },
  }),
  create: endpoint('POST', path, {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: `Add a ${one}`,
    body,
    reply,
    shape: { id: 0 },
    status: 201,
  }),
  /**
   * Saves a profile. With `sessions=unassign`, future sessions that are no longer allowed after the save lose their
   * therapist and need cover.
   */
  update: endpoint('PUT', `${path}/:id`, {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: `Save a ${one}`,
    params: idParams,
    query: unassigningQuery,
    body,
    reply,
    shape: { id: 0 },
    refusals: ['stale-version'],
  }),
  check: endpoint('POST', `${path}/:id/check`, {
    access: 'signed-in',
    at: 'body.location',
    audit: reads.checked,
    writes: false,
    summary: `The upcoming sessions that would no longer be allowed after a change to a ${one}; nothing is saved`,
    params: idParams,
    body,
    reply: unfitSessionsSchema,
    shape: { total: 0, sessions: [{}] },
  }),
});

const therapists = callsOf(
  {
    path: '/therapists',
    one: 'therapist',
    many: 'therapists',
    listed: 'none',
    read: 'none',
    checked: 'therapist.checked',
  },
  therapistBodySchema,
  therapistSchema,
);
const clients = callsOf(
  {
    path: '/clients',
    one: 'client',
    many: 'clients',
    listed: 'clients.listed',
    read: 'client.read',
    checked: 'client.checked',
  },
  clientBodySchema,
  clientSchema,
);

export const profilesEndpoints = {
  listTherapists: therapists.list,
  getTherapist: therapists.get,
  createTherapist: therapists.create,
  updateTherapist: therapists.update,
  checkTherapist: therapists.check,
  /**
   * Replies 409 with the therapist's future appointments, if there are any. With `appointments=unassign`, the therapist
   * is deleted, and the appointments lose their therapist and need cover.
   */
  deleteTherapist: endpoint('DELETE', '/therapists/:id', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Delete a therapist',
    params: idParams,
    query: z.object({ appointments: z.optional(z.literal('unassign')) }),
    status: 204,
  }),
  listClients: clients.list,
  getClient: clients.get,
  createClient: clients.create,
  updateClient: clients.update,
  checkClient: clients.check,
};
