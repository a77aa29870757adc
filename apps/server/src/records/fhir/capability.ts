import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import { ALGORITHMS } from '../programs/service-token.ts';
import { VERSION } from '../../platform/version.ts';
import type { Kind } from './kind.ts';

/** When what this server says of itself last changed. */
const SAID_ON = '2026-11-29';

/** What the server can do, in FHIR's own words (`/fhir/r4/metadata`). */
export const capabilityOf = (base: string, kinds: readonly Kind[]): CapabilityStatement => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: SAID_ON,
  kind: 'instance',
  software: { name: 'Clinic Scheduler', version: VERSION },
  implementation: { description: 'The records of a clinic group, to read', url: base },
  fhirVersion: '4.0.1',
  format: ['application/fhir+json'],
  rest: [
    {
      mode: 'server',
      security: {
        cors: false,
        service: [
          {
            coding: [
              { system: 'http://terminology.hl7.org/CodeSystem/restful-security-service', code: 'SMART-on-FHIR' },
            ],
          },
        ],
      },
      resource: kinds.map(resourceOf),
    },
  ],
});

const resourceOf = ({ type, params, versioned }: Kind): CapabilityStatementRestResource => ({
  type,
  interaction: [{ code: 'read' }, { code: 'search-type' }],
  versioning: versioned ? 'versioned' : 'no-version',
  readHistory: false,
  searchParam: [
    { name: '_id', type: 'token' as const },
    ...Object.entries(params).map(([name, kind]) => ({ name, type: kind })),
  ],
});

/** Where and how other programs get a token (SMART App Launch 2, `.well-known/smart-configuration`). */
export const smartConfigurationOf = (base: string): object => ({
  token_endpoint: `${base}/token`,
  token_endpoint_auth_methods_supported: ['private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  grant_types_supported: ['client_credentials'],
  scopes_supported: ['system/*.rs', 'fhir.read', 'changes.read'],
  code_challenge_methods_supported: ['S256'],
  capabilities: ['client-confidential-asymmetric', 'permission-v1', 'permission-v2'],
});
