import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateSchema, instantText, locationSchema } from './wire.ts';

export const ZIP_TYPE = 'application/zip';

export const exportsEndpoints = {
  lastExport: endpoint('GET', '/exports', {
    access: 'clinic',
    at: 'none',
    audit: 'none',
    summary: 'When everything, or all changes since then, was exported last',
    reply: z.object({ last: z.nullable(z.object({ at: instantText, by: z.nullable(z.string()) })) }),
  }),
  /**
   * Without a body field, everything. The reply is a zip file with one CSV file for each kind of import, in the import's
   * own columns: importing them changes nothing.
   */
  makeExport: endpoint('POST', '/exports', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Export people, sessions, authorizations and credentials, or what was changed here',
    body: z.object({
      /** Only people of these locations, their sessions there, and whoever those sessions name. */
      locations: z.optional(z.array(locationSchema).check(z.minLength(1), z.maxLength(500))),
      /** Only sessions on these dates, both included. */
      from: z.optional(dateSchema),
      until: z.optional(dateSchema),
      /**
       * Only what was made or changed here since this instant, or since the last export of everything or of its changes.
       * Rows that are as an import left them are not changes.
       */
      since: z.optional(z.union([z.literal('last'), z.iso.datetime({ offset: true })])),
    }),
    otherReply: { types: [ZIP_TYPE] },
  }),
};
