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
const flag = (name: string) => attribute(name, { type: 'boolean' });

export const userSchema = (base: string) => ({
  schemas: [`${SCHEMAS}:Schema`],
  id: USER_SCHEMA,
  name: 'User',
  description: 'Somebody with an account',
  attributes: [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('displayName'),
    flag('active'),
    attribute('emails', {
      type: 'complex',
      multiValued: true,
      subAttributes: [attribute('value'), attribute('type', { canonicalValues: ['work'] }), flag('primary')],
    }),
    attribute('roles', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
  ],
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` },
});
