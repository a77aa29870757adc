import { codesIn, type BillingCode } from './billing-codes.ts';
import { nameKey } from './names.ts';

/** The services of sessions. Only direct sessions can be covered in pieces. */
export const SERVICES = ['direct', 'supervision', 'parent-training', 'admin'] as const;
export type Service = (typeof SERVICES)[number];
type ClientService = Exclude<Service, 'admin'>;

/** The subjects, in lower case, that name a service. */
const SUBJECT_SERVICES: Readonly<Record<string, ClientService>> = {
  'direct therapy': 'direct',
  supervision: 'supervision',
  assessment: 'supervision',
  'parent training': 'parent-training',
};

/** The services of the codes for which a payer wants a BCBA; the other codes are for direct therapy. */
const CODE_SERVICES: Readonly<Partial<Record<BillingCode, ClientService>>> = {
  '97151': 'supervision',
  '97155': 'supervision',
  '97156': 'parent-training',
  '97157': 'parent-training',
  '97158': 'supervision',
};

const GROUP_CODES: ReadonlySet<string> = new Set<BillingCode>(['97154', '97157', '97158']);

/**
 * The service of a session with a client: the one that its subject names or, if it names none, that of the first
 * billing code in the subject. Any other subject means direct therapy. For administrative time the subject does not
 * matter.
 */
export function serviceOfSubject(subject: string): ClientService {
  const key = nameKey(subject);
  const named = Object.hasOwn(SUBJECT_SERVICES, key) ? SUBJECT_SERVICES[key] : undefined;
  const [code] = codesIn(subject);
  return named ?? (code && CODE_SERVICES[code]) ?? 'direct';
}

/**
 * Whether the subject marks a group session, by the word or by a billing code for groups: one therapist with several
 * clients in one place.
 */
export const isGroupSubject = (subject: string): boolean =>
  /\bgroup\b/i.test(subject) || GROUP_CODES.has(codesIn(subject)[0] ?? '');
