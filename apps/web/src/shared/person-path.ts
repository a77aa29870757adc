import type { PersonKind } from '@clinic/domain';

/** The address of a person's own page. */
export const personPath = (type: PersonKind, id: string): string => `/people/${type}s/${id}`;
