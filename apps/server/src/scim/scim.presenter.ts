import { isoOf } from '../platform/clock.ts';
import { scimVersion } from './scim.service.ts';
import type { ScimRow } from './scim.queries.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';
const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0';

/** An account as a SCIM user. */
export function presentUser(row: ScimRow, base: string) {
  const { id, email, name, user_name, external_id, scim_roles, disabled_at } = row;
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(external_id === null ? {} : { externalId: external_id }),
    userName: user_name ?? email,
    displayName: name,
    active: disabled_at === null,
    emails: [{ value: email, type: 'work', primary: true }],
    ...(scim_roles === null ? {} : { roles: scim_roles.map((value) => ({ value })) }),
    meta: {
      resourceType: 'User',
      created: isoOf(row.created_at),
      lastModified: isoOf(row.updated_at),
      location: `${base}/Users/${id}`,
      version: scimVersion(row),
    },
  };
}

/**
 * Leaves of a resource what a query asks for with `attributes`, or does not exclude with `excludedAttributes`: both name
 * attributes, in any case, with or without their schema, separated by commas. Its id and schemas always stay.
 */
export function chosen<R extends object>(
  resource: R,
  { attributes, excludedAttributes }: Readonly<Record<string, unknown>>,
): Partial<R> {
  const [only, without] = [namesIn(attributes), namesIn(excludedAttributes)];
  const stays = (name: string): boolean =>
    ['id', 'schemas'].includes(name) || (only.length > 0 ? only.includes(name) : !without.includes(name));
  const entries = Object.entries(resource).filter(([name]) => stays(name.toLowerCase()));
  return Object.fromEntries(entries) as Partial<R>;
}

/** `urn:…:User:name.givenName` → `name`. */
const namesIn = (list: unknown): string[] =>
  typeof list === 'string'
    ? list.split(',').map(
        (each) =>
          each
            .trim()
            .toLowerCase()
            .replace(/^urn:.*:/, '')
            .split('.', 1)[0] ?? '',
      )
    : [];

export const listOf = (resources: readonly unknown[], total = resources.length, startIndex = 1) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

export const providerConfig = (base: string, mostOnPage: number) => ({
  schemas: [`${SCHEMAS}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostOnPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token in the setting SCIM_TOKEN',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceType = (base: string) => ({
  schemas: [`${SCHEMAS}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'Somebody with an account',
  schema: USER_SCHEMA,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
});

const attribute = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description: name,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const flag = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  attribute(name, { type: 'boolean', ...more });

export const userSchema = (base: string) => ({
  schemas: [`${SCHEMAS}:Schema`],
  id: USER_SCHEMA,
  name: 'User',
  description: 'Somebody with an account',
  attributes: [
    // All that a person here always has is required, so that no one expects to take it away.
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('displayName', { required: true }),
    flag('active', { required: true }),
    attribute('emails', {
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        attribute('value', { required: true }),
        attribute('type', { canonicalValues: ['work'] }),
        flag('primary'),
      ],
    }),
    attribute('roles', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
  ],
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` },
});
