import { emailKey, isEmailAddress, parseLocation, type Location } from '@clinic/domain';
import { MAPPED_ROLES, type MappedRole } from '../role-mapping.ts';
import { valueOf, type Claims } from './provider.ts';

/** What groups or claims give a person in the scheduler; `locations` null: all. */
interface Rights {
  readonly role: MappedRole['role'];
  readonly locations: Location[] | null;
}

/**
 * The rights that a mapping gives to members of groups: the role that may do most, at the locations of all groups that
 * give this role. Null if no group gives a role, or only at locations that do not exist.
 */
export function rightsOf(mapping: readonly MappedRole[], groups: readonly string[]): Rights | null {
  const given = mapping
    .filter(({ group }) => groups.includes(group))
    .map(({ role, locations }) => ({
      role,
      locations: locations && locations.map(parseLocation).filter((location) => location !== null),
    }))
    .filter(({ role, locations }) => locations?.length !== 0 && !(role === 'viewer' && locations === null));
  const role = MAPPED_ROLES.find((each) => given.some((one) => one.role === each));
  if (role === undefined) return null;
  const places = given.filter((each) => each.role === role).map(({ locations }) => locations);
  const some = places.filter((each) => each !== null);
  return { role, locations: some.length < places.length ? null : [...new Set(some.flat())].sort() };
}

/** The groups that a claim names: a list of texts, or one text. */
export function groupsIn(claims: Claims, name: string): string[] {
  const value = valueOf(claims, name);
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

/**
 * The email that the issuer has verified; null if it says none, or has not verified it.
 * Microsoft Entra says nothing of `email_verified`, but `xms_edov` where the address's domain belongs to the tenant.
 */
export function verifiedEmail(claims: Claims): string | null {
  const { email } = claims;
  if (typeof email !== 'string' || !isEmailAddress(email)) return null;
  const isVerified =
    isTrue(claims['email_verified']) || (claims['email_verified'] === undefined && isTrue(claims['xms_edov']));
  return isVerified ? emailKey(email) : null;
}

/** Some issuers write `true` as a text or a number. */
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1';
