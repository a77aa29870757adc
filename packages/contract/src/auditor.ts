import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { ZIP_TYPE } from './export.ts';
import { dateSchema, textSchema } from './wire.ts';

/** The most days of an auditor's file: a year. */
export const MOST_AUDITED_DAYS = 366;

/** The header with the seal of an auditor's file: `chain:number:hash`, the trail's entry that holds the file's hash. */
export const SEAL_HEADER = 'x-seal';

/** The name of an auditor's file: `auditor C-0001 2026-11-01 to 2026-11-30.zip`. */
export const auditorFileName = ({ client, from, to }: { client: string; from: string; to: string }): string =>
  `auditor ${client} ${from} to ${to}.zip`;

export const auditorEndpoints = {
  /**
   * A zip file: a client's past sessions as CSV and PDF, with what was known when they took place; the entries of the
   * audit trail; and a seal, by which `npm run audit -- verify FILE` shows that nothing was changed.
   */
  makeAuditorFile: endpoint('POST', '/auditor-files', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'The file that an auditor asks for: a client’s past sessions, as they were known then',
    body: z.object({ client: textSchema(80), from: dateSchema, to: dateSchema }),
    otherReply: { types: [ZIP_TYPE] },
    replyHeaders: { [SEAL_HEADER]: 'The trail’s entry that holds the file’s hash: `chain:number:hash`' },
    refusals: ['not-found'],
  }),
};
