import * as z from 'zod/mini';
import { AUTHORIZATION_PERIODS, BILLING_CODES, daysBetween, MOST_AUTHORIZED_DAYS } from '@clinic/domain';
import { inOrder } from './tags.ts';
import { dateSchema, dateText, lineSchema } from './wire.ts';

/** The maximum number of authorizations for a client. */
export const MOST_AUTHORIZATIONS = 200;

/**
 * A payer's authorization for a client: units of 15 minutes under a billing code. It is valid from its first to its
 * last date, both included.
 */
export const authorizationSchema = z
  .object({
    payer: lineSchema(60).check(z.minLength(1, 'must not be empty')),
    code: z.enum(BILLING_CODES),
    number: z._default(lineSchema(60), ''),
    from_date: dateSchema,
    until_date: dateSchema,
    units: z.int().check(z.gte(1), z.lte(100_000)),
    /** The period for which the units are granted: the whole authorization, each week, or each month. */
    period: z._default(z.enum(AUTHORIZATION_PERIODS), 'total'),
    /**
     * Units that were used through the date `prior_until`, whether or not their sessions are on the calendar. If left
     * out, the stored values of the same authorization stay.
     */
    prior_units: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(100_000)))),
    prior_until: z.optional(z.nullable(dateSchema)),
  })
  .check(
    inOrder,
    z.refine(({ from_date, until_date }) => daysBetween(from_date, until_date) <= MOST_AUTHORIZED_DAYS, {
      error: 'an authorization lasts at most two years',
      path: ['until_date'],
    }),
    z.refine(({ prior_units, prior_until }) => (prior_units ?? null) === null || (prior_until ?? null) !== null, {
      error: 'units already used need the date through which they were used',
      path: ['prior_until'],
    }),
    z.refine(({ prior_units, prior_until }) => (prior_until ?? null) === null || (prior_units ?? null) !== null, {
      error: 'this date needs the units that were used',
      path: ['prior_units'],
    }),
    z.refine(({ from_date, prior_until }) => (prior_until ?? from_date) >= from_date, {
      error: 'must not be before the first day',
      path: ['prior_until'],
    }),
  );
export const shownAuthorizationSchema = z.object({
  payer: z.string(),
  code: z.enum(BILLING_CODES),
  number: z.string(),
  from_date: dateText,
  until_date: dateText,
  units: z.number(),
  period: z.enum(AUTHORIZATION_PERIODS),
  prior_units: z.nullable(z.number()),
  prior_until: z.nullable(dateText),
});
export type SentAuthorization = z.infer<typeof authorizationSchema>;
export type Authorization = z.infer<typeof shownAuthorizationSchema>;
