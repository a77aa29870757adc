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
