import { nameKey } from './names.ts';

/** The services of sessions. Only direct sessions can be covered in pieces. */
export const SERVICES = ['direct', 'supervision', 'parent-training', 'admin'] as const;
export type Service = (typeof SERVICES)[number];

/** The subjects, in lower case, that name a service; any other subject means direct therapy. */
const SUBJECT_SERVICES: Readonly<Record<string, Exclude<Service, 'admin'>>> = {
  'direct therapy': 'direct',
  supervision: 'supervision',
  assessment: 'supervision',
  'parent training': 'parent-training',
};

/** The service of a session with a client. For administrative time the subject does not matter. */
export function serviceOfSubject(subject: string): Exclude<Service, 'admin'> {
  const key = nameKey(subject);
  return Object.hasOwn(SUBJECT_SERVICES, key) ? (SUBJECT_SERVICES[key] ?? 'direct') : 'direct';
}

/** Whether the subject marks a group session: one therapist with several clients in one place. */
export const isGroupSubject = (subject: string): boolean => /\bgroup\b/i.test(subject);
