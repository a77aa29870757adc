/** Bodies that Microsoft Entra and Okta send, as their documents and their logs show them; only the names are changed. */
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const entraUser = (email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `entra-${email}`,
  userName: email,
  active: true,
  addresses: null,
  displayName: 'Dana Reyes',
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Dana Reyes', familyName: 'Reyes', givenName: 'Dana' },
  phoneNumbers: null,
  roles: [],
  title: null,
});

export const oktaUser = (email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  name: { givenName: 'Dana', familyName: 'Reyes' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Dana Reyes',
  locale: 'en-US',
  externalId: `00u${email}`,
  groups: [],
  password: '1mz050nq',
  active: true,
});

/** Every way to end an account that was seen: the last ones are the RFC's own. */
export const ENDS: Readonly<Record<string, unknown>> = {
  'Entra, as a text': { schemas: [PATCH], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
  'Entra, as a boolean': { schemas: [PATCH], Operations: [{ op: 'Replace', path: 'active', value: false }] },
  'Entra, without a path': { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: 'False' } }] },
  'Entra, as an addition': { schemas: [PATCH], Operations: [{ op: 'Add', path: 'active', value: 'False' }] },
  'Entra, in a list': {
    schemas: [PATCH],
    Operations: [{ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }],
  },
  'Entra, with the schema': {
    schemas: [PATCH],
    Operations: [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: 'false' }],
  },
  'Entra, after other changes': {
    schemas: [PATCH],
    Operations: [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'moved@clinic.example' },
      { op: 'Add', path: 'name.givenName', value: 'Dana' },
      {
        op: 'Replace',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Therapy',
      },
      { op: 'Replace', path: 'active', value: 'False' },
    ],
  },
  Okta: { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] },
  'the RFC': { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
  'a list of one': { schemas: [PATCH], operations: [{ OP: 'REPLACE', Path: 'Active', Value: ['false'] }] },
};

const OKTA_LOG = 'https://github.com/firezone/scim (README: two requests of an Okta tenant, logged)';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A request that a service was seen to send to someone who is called Dana Reyes, and what it must lead to. */
interface Recorded {
  readonly source: string;
  readonly method: 'PUT' | 'PATCH';
  readonly body: (email: string) => object;
  readonly gives: Readonly<{ name?: string; email?: string; active?: boolean; roles?: readonly string[] }>;
}

/** Requests from the logs of others, each with where it stands; only the people in them are changed. */
export const RECORDED: Readonly<Record<string, Recorded>> = {
  'Okta updates a person, merged with what it once read: the name in one piece is the old one': {
    source: OKTA_LOG,
    method: 'PUT',
    body: (email) => ({
      active: true,
      displayName: 'Dana Novak',
      emails: [{ primary: true, type: 'work', value: email }],
      externalId: '00u6a15d23T9AeHhF5d7',
      groups: [],
      id: '5fc0c238-1112-11e8-8e45-920c87bdbd75',
      locale: 'en-US',
      meta: { created: '2018-02-13T15:05:24.000-08:00', location: 'https://elsewhere.example/1', resourceType: 'User' },
      name: { familyName: 'Novak', formatted: 'Dana Reyes', givenName: 'Dana' },
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
    }),
    gives: { name: 'Dana Novak', active: true, roles: ['desk'] },
  },
  'Okta ends a person, with an address without a type': {
    source: OKTA_LOG,
    method: 'PUT',
    body: (email) => ({
      active: false,
      displayName: 'Dana Reyes',
      emails: [{ primary: true, value: email }],
      externalId: '00u1dhhb1fkIGP7RL1d8',
      id: '5fc0c238-1112-11e8-8e45-920c87bdbd75',
      meta: { created: '2018-02-13T15:05:24.000-08:00', resourceType: 'User' },
      name: { familyName: 'Reyes', formatted: 'Dana Reyes', givenName: 'Dana' },
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
    }),
    gives: { active: false, roles: ['desk'] },
  },
  'Entra changes an address beside what is not kept': {
    source: 'https://github.com/limosa-io/laravel-scim-server/issues/34',
    method: 'PATCH',
    body: (email) => ({
      schemas: [PATCH],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `moved.${email}` },
        { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: '18/2111' },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Retail' },
      ],
    }),
    gives: { email: 'moved.', name: 'Dana Reyes' },
  },
  'Entra changes an address and the last name alone': {
    source: 'https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups',
    method: 'PATCH',
    body: (email) => ({
      schemas: [PATCH],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `moved.${email}` },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      ],
    }),
    gives: { email: 'moved.', name: 'Dana Reyes' },
  },
  'Entra, as it is told to keep to the RFC: all in one value, with paths for names': {
    source: 'https://github.com/Captain-P-Goldfish/scim-for-keycloak/issues/26',
    method: 'PATCH',
    body: () => ({
      schemas: [PATCH],
      Operations: [
        {
          op: 'replace',
          value: {
            displayName: 'Dana Novak',
            'name.givenName': 'Dana',
            'name.familyName': 'Novak',
            [`${ENTERPRISE}:employeeNumber`]: 'Aklq',
          },
        },
      ],
    }),
    gives: { name: 'Dana Novak' },
  },
  'Entra’s own library: a value in a list with a reference': {
    source: 'https://github.com/MicrosoftDocs/azure-docs/issues/42220',
    method: 'PATCH',
    body: () => ({
      schemas: [PATCH],
      Operations: [{ op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Dana Novak' }] }],
    }),
    gives: { name: 'Dana Novak' },
  },
  'Entra gives two roles, each as JSON in a text': {
    source: 'https://github.com/Captain-P-Goldfish/SCIM-SDK/issues/516',
    method: 'PATCH',
    body: () => ({
      schemas: [PATCH],
      Operations: [
        {
          op: 'Add',
          path: 'roles',
          value: [
            { value: '{"id":"827f0d2e-be15-4d8f-a8e3-f8697239c112","value":"guests","displayName":"Guests"}' },
            { value: '{"id":"8ae06bd4-35bb-4fcd-977e-14e074ad1192","value":"Admin","displayName":"Admin"}' },
          ],
        },
      ],
    }),
    gives: { roles: ['desk', 'guests', 'Admin'] },
  },
  'Entra writes a whole extension, and a manager as a text': {
    source: 'https://github.com/apache/directory-scimple/issues/695 and pull/1244',
    method: 'PATCH',
    body: () => ({
      schemas: [PATCH],
      Operations: [
        { op: 'replace', path: ENTERPRISE, value: { costCenter: 'New Cost Center', department: 'New Department' } },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: '2819c223-7f76-453a-919d-413861904646' },
        { op: 'Replace', path: 'active', value: 'False' },
      ],
    }),
    gives: { name: 'Dana Reyes', active: false },
  },
};
