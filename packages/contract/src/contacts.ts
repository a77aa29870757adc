import * as z from 'zod/mini';
import { dialable, isEmailAddress } from '@clinic/domain';
import { lineSchema } from './wire.ts';

/** How a person may prefer to be reached. */
export const CONTACT_WAYS = ['phone', 'text', 'email'] as const;
export type ContactWay = (typeof CONTACT_WAYS)[number];
/** The maximum number of contacts for a person. */
export const MOST_CONTACTS = 10;

const CONTACT = {
  name: lineSchema(120).check(z.minLength(1, 'must not be empty')),
  /** How the person is related to the client or therapist: `Mother`. Empty for a therapist's own number. */
  relation: z._default(lineSchema(60), ''),
  /** The telephone number as it was typed. */
  phone: z._default(lineSchema(60), ''),
  email: z._default(lineSchema(254), ''),
  language: z._default(lineSchema(60), ''),
  /** How the person prefers to be reached; empty when not known. */
  preferred: z._default(z.enum(['', ...CONTACT_WAYS]), ''),
};

type Fault = { field: 'phone' | 'email' | 'preferred'; text: string };

/**
 * Lists the errors in one contact: a bad telephone number, a bad email address, or a preferred way whose field is
 * empty.
 */
export function contactFaults({ phone, email, preferred }: Readonly<Record<Fault['field'], string>>): Fault[] {
  const faults: Fault[] = [];
  if (phone !== '' && dialable(phone) === null)
    faults.push({ field: 'phone', text: 'Not a telephone number: write 10 digits, or + and the country code first' });
  if (email !== '' && !isEmailAddress(email))
    faults.push({ field: 'email', text: 'Not an email address: write it like name@example.org' });
  if ((preferred === 'phone' || preferred === 'text') && phone === '')
    faults.push({ field: 'preferred', text: 'Needs a telephone number' });
  if (preferred === 'email' && email === '') faults.push({ field: 'preferred', text: 'Needs an email address' });
  return faults;
}

/** An email address. It must be one that is written as people write theirs: `isEmailAddress`. */
export const emailSchema = z
  .string()
  .check(
    z.trim(),
    z.refine(isEmailAddress, { error: 'not an email address, written like name@example.org' }),
    z.meta({ format: 'email', maxLength: 254 }),
  );

/** A person to contact about a therapist or client. A profile lists its contacts in the order in which to try them. */
export const contactSchema = z.object(CONTACT).check(({ value, issues }) => {
  for (const { field, text } of contactFaults(value))
    issues.push({ code: 'custom', path: [field], message: text, input: value[field] });
});

export const shownContactSchema = z.object({
  name: z.string(),
  relation: z.string(),
  phone: z.string(),
  /** The number for a `tel:` or `sms:` link; null when there is none. */
  dial: z.nullable(z.string()),
  email: z.string(),
  language: z.string(),
  preferred: z.enum(['', ...CONTACT_WAYS]),
});
export type Contact = z.infer<typeof shownContactSchema>;
