import * as z from 'zod/mini';
import { dateSchema, dateText, specializationSchema, lineSchema } from './wire.ts';

/** The most tags or credentials that a therapist can have, and the most needs that a client can have. */
export const MOST_TAGS = 50;

export const LONGEST_TAG = 60;
const tag = lineSchema(LONGEST_TAG).check(z.minLength(1, 'must not be empty'));

/** The first and last date on which something is valid; null means no limit at that end. */
export const DATES = {
  from_date: z._default(z.nullable(dateSchema), null),
  until_date: z._default(z.nullable(dateSchema), null),
};
export const SHOWN_DATES = { from_date: z.nullable(dateText), until_date: z.nullable(dateText) };
export const inOrder = z.refine<{ from_date: string | null; until_date: string | null }>(
  ({ from_date, until_date }) => from_date === null || until_date === null || from_date <= until_date,
  { error: 'the last day must be on or after the first', path: ['until_date'] },
);

/** A language, training or payer enrollment of a therapist, possibly valid only on some dates. */
export const tagSchema = z.object({ tag, ...DATES }).check(inOrder);
export const shownTagSchema = z.object({ tag: z.string(), ...SHOWN_DATES });
export type Tag = z.infer<typeof shownTagSchema>;

/** A tag that a client's therapists must have (`must`) or preferably should have. */
export const needSchema = z.object({ tag, must: z.boolean() });
export type Need = z.infer<typeof needSchema>;

/** A credential, and the dates on which it is valid. */
export const credentialSchema = z
  .object({ credential: specializationSchema, number: z._default(lineSchema(60), ''), ...DATES })
  .check(inOrder);
export const shownCredentialSchema = z.object({
  credential: specializationSchema,
  number: z.string(),
  ...SHOWN_DATES,
});
export type CredentialRecord = z.infer<typeof shownCredentialSchema>;
