import { exportJWK, generateKeyPair } from 'jose';
import { clinic, open, type Expected } from './route-expected.ts';
import type { Scene } from './route-scene.ts';

/** A public key, made once. */
const KEYS = generateKeyPair('ES384', { extractable: true }).then(async ({ publicKey }) =>
  JSON.stringify(await exportJWK(publicKey)),
);

const account = async (s: Scene): Promise<object> => ({
  name: `Program ${s.number()}`,
  scopes: ['fhir.read'],
  locations: null,
  keys: await KEYS,
});
const webhook = (s: Scene): object => ({
  url: `https://hooks.example/${s.number()}`,
  events: ['day.changed'],
  locations: null,
});

/** What programs with the right scope may read, and administrators. */
const records = { access: 'records', ok: 200 } as const;
/** What no other location may read: for these it does not exist. */
const recordHere = { ...records, elsewhere: 404 } as const;
const at = (path: string) => (id: (s: Scene) => string) => (s: Scene) => `/fhir/r4/${path}/${id(s)}`;

/** The routes for other programs: their accounts, records, changes and webhooks. */
export const RECORD_ROUTES: Record<string, Expected> = {
  'GET /fhir/r4/metadata': open,
  'GET /fhir/r4/.well-known/smart-configuration': open,
  'POST /fhir/r4/token': { ...open, ok: 400 }, // without a form
  'GET /fhir/r4/Appointment': records,
  'GET /fhir/r4/Appointment/:id': { ...recordHere, url: at('Appointment')((s) => s.appointment) },
  'GET /fhir/r4/Schedule': records,
  'GET /fhir/r4/Schedule/:id': { ...recordHere, url: at('Schedule')((s) => s.therapist.id) },
  'GET /fhir/r4/Slot': records,
  'GET /fhir/r4/Slot/:id': { ...records, ok: 404, url: () => '/fhir/r4/Slot/none' },
  'GET /fhir/r4/Practitioner': records,
  'GET /fhir/r4/Practitioner/:id': { ...recordHere, url: at('Practitioner')((s) => s.therapist.id) },
  'GET /fhir/r4/PractitionerRole': records,
  'GET /fhir/r4/PractitionerRole/:id': { ...recordHere, url: at('PractitionerRole')((s) => s.therapist.id) },
  'GET /fhir/r4/Patient': { ...records, url: (s) => `/fhir/r4/Patient?_id=${s.client.id}` },
  'GET /fhir/r4/Patient/:id': { ...recordHere, url: at('Patient')((s) => s.client.id) },
  'GET /fhir/r4/Location': records,
  'GET /fhir/r4/Location/:id': { ...recordHere, url: () => '/fhir/r4/Location/altamonte' },
  'GET /api/changes': records,
  'GET /api/service-accounts': clinic,
  'POST /api/service-accounts': { ...clinic, ok: 201, request: async (s) => ({ payload: await account(s) }) },
  'PUT /api/service-accounts/:id': {
    ...clinic,
    url: async (s) => `/api/service-accounts/${await s.ownProgram()}`,
    request: async (s) => ({ payload: { ...(await account(s)), disabled: false, version: 1 } }),
  },
  'GET /api/webhooks': clinic,
  'POST /api/webhooks': { ...clinic, ok: 201, request: (s) => ({ payload: webhook(s) }) },
  'PUT /api/webhooks/:id': {
    ...clinic,
    url: async (s) => `/api/webhooks/${await s.ownWebhook()}`,
    request: (s) => ({ payload: { ...webhook(s), disabled: false, version: 1 } }),
  },
  'POST /api/webhooks/:id/secret': { ...clinic, url: async (s) => `/api/webhooks/${await s.ownWebhook()}/secret` },
  'POST /api/webhooks/:id/replay': { ...clinic, url: async (s) => `/api/webhooks/${await s.ownWebhook()}/replay` },
};
