import type { PersonKind } from '@clinic/domain';

/** The address of a person's own page. */
export const personPath = (type: PersonKind, id: string): string => `/people/${type}s/${id}`;

/** The address for where only the name is known, which is then looked up. */
export const namedPath = (type: PersonKind): string => personPath(type, NAMED);
export const NAMED = 'named';
