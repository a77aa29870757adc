import type { Role } from '@clinic/contract';

/** A group of the clinic's sign-on, and what its members may do in the scheduler. */
export interface MappedRole {
  readonly group: string;
  readonly role: Exclude<Role, 'therapist'>;
  /** The locations as the setting names them; null for all. */
  readonly locations: readonly string[] | null;
}

/** The roles that a group can give, from the one that may do most: someone in several groups gets the first. */
export const MAPPED_ROLES = [
  'admin',
  'scheduler',
  'director',
  'viewer',
] as const satisfies readonly MappedRole['role'][];

/**
 * Reads `clinic-admins=admin,clinic-front-desk=scheduler@tampa+orlando`. A group's name may have any character but a
 * comma and is followed by the last `=`. Null if the text cannot be read.
 */
export function parseRoleMapping(text: string): MappedRole[] | null {
  const entries = text.split(',').map((each) => each.trim());
  const read = entries.map((entry): MappedRole | null => {
    const found = /^(.+)=\s*([a-z]+)\s*(?:@(.+))?$/.exec(entry);
    const [, group = '', name, places] = found ?? [];
    const role = MAPPED_ROLES.find((each) => each === name);
    const locations = places?.split('+').map((place) => place.trim()) ?? null;
    if (!role || group.trim() === '' || locations?.includes('')) return null;
    return { group: group.trim(), role, locations };
  });
  return read.every((entry) => entry !== null) ? read : null;
}
