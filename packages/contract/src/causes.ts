import * as z from 'zod/mini';
import { LOSS_SIDES, parseDate, parseTime } from '@clinic/domain';
import { endpoint } from './endpoint.ts';
import { EDITED_VERSION, textSchema, lineSchema } from './wire.ts';

/** The maximum number of causes, including retired causes; forms load all of them at once. */
export const MOST_CAUSES = 100;
/** The maximum number of characters in a cause's name. */
export const LONGEST_CAUSE = 40;

/**
 * A cause that people can choose for a loss. `lost_by`: who counts as having caused the loss (the therapist, family,
 * clinic or payer), unless a person enters another party; null means the party who is away.
 */
export const causeSchema = z.object({
  id: z.string(),
  label: z.string(),
  lost_by: z.nullable(z.enum(LOSS_SIDES)),
  /** Set when the cause is no longer offered; records that already use it keep it. */
  retired: z.boolean(),
  version: z.string(),
});
export type Cause = z.infer<typeof causeSchema>;

/** A moment by the clinic's clock, to the minute: `YYYY-MM-DDTHH:MM`. */
const momentSchema = z.string().check(
  z.refine((text) => text[10] === 'T' && parseDate(text.slice(0, 10)) !== null && parseTime(text.slice(11)) !== null, {
    error: 'not a date and time, written YYYY-MM-DDTHH:MM',
  }),
  z.meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' }),
);

/** Why time is lost, as a person enters it. */
export const lossBodySchema = z.object({
  /** A cause's id; null when no cause is given. */
  cause: z.nullable(textSchema(40)),
  /**
   * Who caused the loss. If left out or null: the cause's own `lost_by` or, if the cause has none, the party who is
   * away.
   */
  lost_by: z.optional(z.nullable(z.enum(LOSS_SIDES))),
  /** When the loss became known. If left out, the recorded time stays; a new loss counts as known now. */
  known: z.optional(momentSchema),
});
export type LossBody = z.infer<typeof lossBodySchema>;

/** Why a person is away, as a person enters it. */
export const absenceLossBodySchema = z.object({
  ...lossBodySchema.shape,
  /**
   * Whether the person does not know yet, so that they must be told what they lose by it. If left out, what is recorded
   * stays; if nothing is, they are told when the clinic or a payer caused the loss.
   */
  untold: z.optional(z.boolean()),
});
export type AbsenceLossBody = z.infer<typeof absenceLossBodySchema>;

/** Why time is lost, as it is recorded. */
export const lossSchema = z.object({
  cause: z.nullable(z.string()),
  /** The cause's name; null when no cause is given. */
  label: z.nullable(z.string()),
  lost_by: z.enum(LOSS_SIDES),
  known: z.nullable(z.string()),
  /** Whether the loss became known less than 24 hours before its first minute; null if that time is not recorded. */
  late: z.nullable(z.boolean()),
});
export type Loss = z.infer<typeof lossSchema>;

const causeBodySchema = z.object({
  label: lineSchema(LONGEST_CAUSE).check(z.minLength(1, 'must not be empty')),
  lost_by: z.nullable(z.enum(LOSS_SIDES)),
});
const keyParams = z.object({ key: z.uuid() });
const idParams = z.object({ id: textSchema(40) });

export const causesEndpoints = {
  listCauses: endpoint('GET', '/causes', {
    access: 'signed-in',
    at: 'none',
    audit: 'none',
    summary: 'The causes of lost time to choose from, the retired ones included',
    reply: z.array(causeSchema),
  }),
  createCause: endpoint('POST', '/causes', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Add a cause',
    body: causeBodySchema,
    reply: z.array(causeSchema),
    status: 201,
  }),
  updateCause: endpoint('PUT', '/causes/:id', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Reword a cause, or offer a retired one again',
    params: idParams,
    body: z.object({ ...causeBodySchema.shape, ...EDITED_VERSION }),
    reply: z.array(causeSchema),
    refusals: ['stale-version'],
  }),
  removeCause: endpoint('DELETE', '/causes/:id', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Delete a cause, or retire it when it is in use',
    params: idParams,
    reply: z.array(causeSchema),
  }),
  /** Changes the recorded reason of this window of an absence. */
  sayAbsence: endpoint('PUT', '/absences/:key/cause', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Say why someone is away',
    params: keyParams,
    body: absenceLossBodySchema,
    status: 204,
  }),
  saySession: endpoint('PUT', '/appointments/:key/cause', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Say why a session was cancelled or missed',
    params: keyParams,
    body: lossBodySchema,
    status: 204,
  }),
};
