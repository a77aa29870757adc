import { PASSWORD, admins, located, open, own, therapists, type Expected } from './route-expected.ts';
import { FACTOR_ROUTES, SCIM_ROUTES, SIGN_ON_ROUTES } from './route-table-sign-on.ts';

const accountBody = (n: number): object => ({
  email: `made${n}@clinic.example`,
  name: 'Made Here',
  role: 'scheduler',
  locations: null,
  password: PASSWORD,
});
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** The origin that browsers send with requests from the pages. */
const PAGE = { origin: 'http://localhost' };
/** The client data of the passkeys below, with a challenge that the server never made. */
const CLIENT_DATA = Buffer.from('{"challenge":"AAAA"}').toString('base64url');
const SIGNED = {
  id: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: CLIENT_DATA, authenticatorData: 'AAAA', signature: 'AAAA' },
};
const MADE = {
  id: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: CLIENT_DATA, attestationObject: 'AAAA' },
};

/** The routes of accounts, sessions and the server itself: a part of the table of all routes. */
export const ACCOUNT_ROUTES: Record<string, Expected> = {
  ...SIGN_ON_ROUTES,
  ...FACTOR_ROUTES,
  ...SCIM_ROUTES,
  'GET /api/openapi.json': open,
  'GET /api/docs': open,
  'GET /api/docs/style.css': open,
  'GET /healthz': open,
  'GET /readyz': open,
  // The test sends this request as if from another machine.
  'GET /metrics': admins,
  'GET /api/me/feed': therapists,
  'POST /api/me/feed': therapists,
  'DELETE /api/me/feed': { ...therapists, ok: 204 },
  // The secret is nobody's.
  'GET /feeds/:secret': { ...open, ok: 404, url: () => '/feeds/none' },
  'POST /api/token': {
    ...open,
    request: ({ account }) => ({
      headers: FORM,
      payload: new URLSearchParams({ username: account.email, password: account.password }).toString(),
    }),
  },
  'POST /api/token/renew': own,
  'POST /api/sign-out': { access: 'own', ok: 204 },
  'GET /api/session': own,
  'POST /api/password': {
    access: 'own',
    ok: 204,
    request: () => ({ payload: { current_password: PASSWORD, new_password: PASSWORD } }),
  },
  'GET /api/sessions': own,
  'POST /api/sessions/end-others': {
    access: 'own',
    ok: 204,
    request: () => ({ payload: { current_password: PASSWORD } }),
  },
  'GET /api/events': { ...located, url: () => '/api/events?location=altamonte' },
  'GET /api/accounts': admins,
  'POST /api/accounts': {
    access: 'admin',
    ok: 201,
    local: 403,
    request: (s) => ({ payload: accountBody(s.number()) }),
  },
  'PUT /api/accounts/:id': {
    ...admins,
    local: 403,
    url: (s) => `/api/accounts/${s.account.id}`,
    request: (s) => ({ payload: { email: s.account.email, name: 'Anna', role: 'scheduler', locations: null } }),
  },
  'GET /api/invitations': admins,
  'POST /api/invitations': {
    access: 'admin',
    ok: 201,
    request: async (s) => ({
      payload: { therapist: await s.ownTherapist(), email: `invited${s.number()}@clinic.example` },
    }),
  },
  'POST /api/colleague-invitations': {
    access: 'admin',
    ok: 201,
    local: 403,
    request: (s) => ({
      payload: {
        name: 'Ann',
        email: `invited${s.number()}@clinic.example`,
        role: 'scheduler',
        locations: null,
        by_email: false,
      },
    }),
  },
  'DELETE /api/invitations/:id': {
    access: 'admin',
    ok: 204,
    url: async (s) => `/api/invitations/${await s.ownInvitation()}`,
  },
  'POST /api/welcome': {
    access: 'public',
    ok: 404,
    request: () => ({ payload: { secret: 'guessed', password: PASSWORD } }),
  },
  'GET /api/login': open,
  'POST /api/token/passkey/options': { ...open, request: () => ({ headers: PAGE }) },
  'POST /api/token/passkey': {
    access: 'public',
    ok: 422,
    request: () => ({ headers: PAGE, payload: { passkey: SIGNED } }),
  },
  'POST /api/welcome/passkey/options': {
    access: 'public',
    ok: 404,
    request: () => ({ headers: PAGE, payload: { secret: 'guessed' } }),
  },
  'POST /api/welcome/passkey': {
    access: 'public',
    ok: 404,
    request: () => ({ headers: PAGE, payload: { secret: 'guessed', name: 'Phone', passkey: MADE } }),
  },
  'GET /api/passkeys': own,
  'POST /api/passkeys/confirm': { ...own, request: () => ({ headers: PAGE }) },
  'POST /api/passkeys/options': {
    ...own,
    request: () => ({ headers: PAGE, payload: { current_password: PASSWORD } }),
  },
  'POST /api/passkeys': {
    access: 'own',
    ok: 422,
    request: () => ({ headers: PAGE, payload: { name: 'Phone', passkey: MADE } }),
  },
  // The passkey belongs to another account, so every caller gets 404.
  'PUT /api/passkeys/:id/name': { access: 'own', ok: 404, request: () => ({ payload: { name: 'Phone' } }) },
  'POST /api/passkeys/:id/remove': {
    access: 'own',
    ok: 404,
    request: () => ({ payload: { current_password: PASSWORD } }),
  },
  'GET /api/audit': admins,
};
