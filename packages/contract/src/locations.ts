import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { locationReplySchema } from './session.ts';
import { dateSchema, EDITED_VERSION, lineSchema, textSchema, timeSchema } from './wire.ts';

/** The maximum number of locations, including closed ones; pages load all of them at once. */
export const MOST_LOCATIONS = 200;
/** The maximum number of characters in a location's name, and in its group's. */
export const LONGEST_LOCATION = 40;

/** A location as administrators see it. */
const managedLocationSchema = z.object({
  ...locationReplySchema.shape,
  /** The location that took over its people and sessions. */
  merged_into: z.nullable(z.string()),
  /** How many people are there now. */
  therapists: z.int(),
  clients: z.int(),
  version: z.string(),
});
export type ManagedLocation = z.infer<typeof managedLocationSchema>;

const nonEmpty = (longest: number) => lineSchema(longest).check(z.minLength(1, 'must not be empty'));
const fields = {
  label: nonEmpty(LONGEST_LOCATION),
  group: nonEmpty(LONGEST_LOCATION),
  zone: textSchema(60),
  /** The weekdays on which it is open, each at most once; empty if not recorded. */
  hours: z
    .array(
      z.object({
        weekday: z.int().check(z.minimum(0), z.maximum(6)),
        start: timeSchema,
        end: timeSchema,
      }),
    )
    .check(z.maxLength(7)),
};

/** What remains at a location from a date on. */
export const remainingSchema = z.object({
  sessions: z.int(),
  series: z.int(),
  therapists: z.int(),
  clients: z.int(),
});
export type Remaining = z.infer<typeof remainingSchema>;

/** What a merge moves. */
export const mergedSchema = z.object({
  ...remainingSchema.shape,
  absences: z.int(),
  accounts: z.int(),
});
export type Merged = z.infer<typeof mergedSchema>;

const params = z.object({ location: textSchema(LONGEST_LOCATION) });
const mergeBody = z.object({
  /** The location that takes over. */
  into: textSchema(LONGEST_LOCATION),
  /** The first date whose sessions move; people move at once. */
  from: dateSchema,
});
const list = z.array(managedLocationSchema);

export const locationsEndpoints = {
  listLocations: endpoint('GET', '/locations', {
    access: 'signed-in',
    at: 'none',
    audit: 'none',
    summary: 'The clinic’s locations, closed ones included',
    reply: list,
  }),
  createLocation: endpoint('POST', '/locations', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Add a location',
    body: z.object(fields),
    reply: list,
    status: 201,
  }),
  updateLocation: endpoint('PUT', '/locations/:location', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Change a location’s name, group, time zone or opening hours',
    params,
    body: z.object({ ...fields, ...EDITED_VERSION }),
    reply: list,
    refusals: ['stale-version'],
  }),
  remainingAtLocation: endpoint('GET', '/locations/:location/remaining', {
    access: 'clinic',
    at: 'none',
    audit: 'none',
    summary: 'What remains at a location from a date on',
    params,
    query: z.object({ from: dateSchema }),
    reply: remainingSchema,
  }),
  closeLocation: endpoint('PUT', '/locations/:location/closing', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Close a location for good from a date on, or keep it open',
    params,
    body: z.object({ from: z.nullable(dateSchema), ...EDITED_VERSION }),
    reply: list,
    refusals: ['stale-version'],
  }),
  previewMerge: endpoint('POST', '/locations/:location/merge/preview', {
    access: 'clinic',
    at: 'none',
    audit: 'none',
    writes: false,
    summary: 'What merging a location into another would move',
    params,
    body: mergeBody,
    reply: mergedSchema,
  }),
  mergeLocation: endpoint('POST', '/locations/:location/merge', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Merge a location into another',
    params,
    body: z.object({ ...mergeBody.shape, ...EDITED_VERSION }),
    reply: z.object({ moved: mergedSchema, locations: list }),
    refusals: ['stale-version'],
  }),
};
