import * as z from 'zod/mini';
import { LOSS_SIDES, parseDate, parseTime } from '@clinic/domain';
import { lineSchema } from './contacts.ts';
import { endpoint } from './endpoint.ts';
import { textSchema } from './wire.ts';

/** Most causes, the retired ones included: every form that asks for one loads them all. */
export const MOST_CAUSES = 100;

/** A cause to choose from; `lost_by`: who caused the loss when nothing else is said (null: the side that is away). */
export const causeSchema = z.object({
  id: z.string(),
  label: z.string(),
  lost_by: z.nullable(z.enum(LOSS_SIDES)),
  /** No longer offered; records that have it keep it. */
  retired: z.boolean(),
});
export type Cause = z.infer<typeof causeSchema>;

/** A moment by the clinic's clock, to the minute: `YYYY-MM-DDTHH:MM`. */
const momentSchema = z.string().check(
  z.refine((text) => text[10] === 'T' && parseDate(text.slice(0, 10)) !== null && parseTime(text.slice(11)) !== null, {
    error: 'not a date and time, written YYYY-MM-DDTHH:MM',
  }),
  z.meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' }),
);

/** Why time is lost, as a person says it. */
export const lossBodySchema = z.object({
  /** A cause's id; null: not said. */
  cause: z.nullable(textSchema(40)),
  /** Left out or null: the cause's own, else the side that is away. */
  lost_by: z.optional(z.nullable(z.enum(LOSS_SIDES))),
  /** When it became known. Left out: it stays as recorded, or is the present for something new. */
  known: z.optional(momentSchema),
});
export type LossBody = z.infer<typeof lossBodySchema>;

/** Why time is lost, as it is recorded. */
export const lossSchema = z.object({
  cause: z.nullable(z.string()),
  /** The cause in words; null: not said. */
  label: z.nullable(z.string()),
  lost_by: z.enum(LOSS_SIDES),
  known: z.nullable(z.string()),
  /** Known less than 24 hours before the first minute; null: not known when. */
  late: z.nullable(z.boolean()),
});
export type Loss = z.infer<typeof lossSchema>;

const causeBodySchema = z.object({
  label: lineSchema(40).check(z.minLength(1, 'must not be empty')),
  lost_by: z.nullable(z.enum(LOSS_SIDES)),
});
const keyParams = z.object({ key: z.uuid() });
const idParams = z.object({ id: textSchema(40) });

export const causesEndpoints = {
  listCauses: endpoint({
    method: 'GET',
    path: '/causes',
    access: 'signed-in',
    summary: 'The causes of lost time to choose from, the retired ones included',
    reply: z.array(causeSchema),
  }),
  createCause: endpoint({
    method: 'POST',
    path: '/causes',
    access: 'admin',
    summary: 'Add a cause',
    body: causeBodySchema,
    reply: z.array(causeSchema),
    status: 201,
  }),
  updateCause: endpoint({
    method: 'PUT',
    path: '/causes/:id',
    access: 'admin',
    summary: 'Reword a cause, or offer a retired one again',
    params: idParams,
    body: causeBodySchema,
    reply: z.array(causeSchema),
  }),
  removeCause: endpoint({
    method: 'DELETE',
    path: '/causes/:id',
    access: 'admin',
    summary: 'Delete a cause, or retire it when it is in use',
    params: idParams,
    reply: z.array(causeSchema),
  }),
  /** For all of that person’s absence on its date. */
  sayAbsence: endpoint({
    method: 'PUT',
    path: '/absences/:key/cause',
    access: 'signed-in',
    summary: 'Say why someone is away',
    params: keyParams,
    body: lossBodySchema,
    status: 204,
  }),
  saySession: endpoint({
    method: 'PUT',
    path: '/appointments/:key/cause',
    access: 'signed-in',
    summary: 'Say why a session was cancelled or missed',
    params: keyParams,
    body: lossBodySchema,
    status: 204,
  }),
};
