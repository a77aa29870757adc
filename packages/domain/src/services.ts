import { nameKey } from './names.ts';

/** What kind of work a session is; only direct sessions can be covered in pieces (docs/decisions). */
export const SERVICES = ['direct', 'supervision', 'parent-training', 'admin'] as const;
export type Service = (typeof SERVICES)[number];

/** Maps subjects to services, by lower-case subject. Any other subject is direct. */
const SUBJECT_SERVICES: Readonly<Record<string, Exclude<Service, 'admin'>>> = {
  'direct therapy': 'direct',
  supervision: 'supervision',
  assessment: 'supervision',
  'parent training': 'parent-training',
};

/** The service of a session with a client. (A session of the administrative client is `admin`, whatever its subject.) */
export function serviceOfSubject(subject: string): Exclude<Service, 'admin'> {
  const key = nameKey(subject);
  return Object.hasOwn(SUBJECT_SERVICES, key) ? (SUBJECT_SERVICES[key] ?? 'direct') : 'direct';
}

/** Whether the subject marks a group: one therapist, several clients, one place. */
export const isGroupSubject = (subject: string): boolean => /\bgroup\b/i.test(subject);
