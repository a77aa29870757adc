import { codesIn, type BillingCode } from './billing-codes.ts';
import { nameKey } from './names.ts';

/** The services of sessions. Only direct sessions can be covered in pieces. */
export const SERVICES = ['direct', 'supervision', 'parent-training', 'admin'] as const;
export type Service = (typeof SERVICES)[number];

/** What a service is called on screens and in calendars. */
export const SERVICE_LABELS = {
  direct: 'Direct therapy',
  supervision: 'Supervision',
  'parent-training': 'Parent training',
  admin: 'Admin time',
} as const satisfies Readonly<Record<Service, string>>;
type ClientService = Exclude<Service, 'admin'>;

/** The subjects, in lower case, that name a service: ours, and the usual ones of other systems. */
const SUBJECT_SERVICES: Readonly<Record<string, ClientService>> = {
  'direct therapy': 'direct',
  supervision: 'supervision',
  'bcba supervision': 'supervision',
  'rbt supervision': 'supervision',
  'clinical supervision': 'supervision',
  assessment: 'supervision',
  'initial assessment': 'supervision',
  reassessment: 'supervision',
  're-assessment': 'supervision',
  'parent training': 'parent-training',
  'parent/caregiver training': 'parent-training',
  'parent & caregiver training': 'parent-training',
  'parent and caregiver training': 'parent-training',
  'caregiver training': 'parent-training',
  'family training': 'parent-training',
  'family guidance': 'parent-training',
};

const serviceNamed = (name: string): ClientService | undefined =>
  Object.hasOwn(SUBJECT_SERVICES, name) ? SUBJECT_SERVICES[name] : undefined;

/** What may follow the name of a service, as in `Supervision - Telehealth` and `Parent Training (home)`. */
const DETAILS = / - |:|\(|\[|,/;

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
 * billing code in the subject or, without a code, the one that the subject begins with. Any other subject means direct
 * therapy. For administrative time the subject does not matter.
 */
export function serviceOfSubject(subject: string): ClientService {
  const key = nameKey(subject);
  const [code] = codesIn(subject);
  const named = serviceNamed(key);
  if (named || code) return named ?? (code && CODE_SERVICES[code]) ?? 'direct';
  return serviceNamed(key.split(DETAILS)[0]?.trim() ?? '') ?? 'direct';
}

/**
 * Whether the subject marks a group session, by the word or by a billing code for groups: one therapist with several
 * clients in one place.
 */
export const isGroupSubject = (subject: string): boolean =>
  /\bgroup\b/i.test(subject) || GROUP_CODES.has(codesIn(subject)[0] ?? '');

/** Whether the subject marks a session by video: it has a location, whose rules hold for it, but nobody is there. */
export const isTelehealth = (subject: string): boolean =>
  /\btele[- ]?(?:health|therapy|medicine)\b|\b(?:virtual|video)\b/i.test(subject);
