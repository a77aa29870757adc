import { own, PASSWORD, type Expected } from './route-expected.ts';

/** A server without a sign-on has none of these, and no code that somebody guesses works. */
const absent = { access: 'public', ok: 404 } as const;

/** The routes of logging in with the clinic's account: a part of the table of all routes. */
export const SIGN_ON_ROUTES: Record<string, Expected> = {
  'GET /api/sign-on': absent,
  'GET /api/sign-on/callback': absent,
  'GET /api/sign-on/end': absent,
  'POST /api/sign-on/token': { ...absent, request: () => ({ payload: { code: 'guessed' } }) },
};

/** The routes of a second factor: a part of the table of all routes. */
export const FACTOR_ROUTES: Record<string, Expected> = {
  'GET /api/second-factor': own,
  'POST /api/second-factor': { ...own, request: () => ({ payload: { current_password: PASSWORD } }) },
  // The code is guessed, and no app is in use.
  'POST /api/second-factor/confirm': { access: 'own', ok: 422, request: () => ({ payload: { code: '000000' } }) },
  'POST /api/second-factor/codes': {
    access: 'own',
    ok: 422,
    request: () => ({ payload: { current_password: PASSWORD } }),
  },
  'POST /api/second-factor/remove': {
    access: 'own',
    ok: 422,
    request: () => ({ payload: { current_password: PASSWORD } }),
  },
};

/** The routes for the clinic's directory; without the setting there is nothing. */
export const SCIM_ROUTES: Record<string, Expected> = Object.fromEntries(
  [
    ...['GET /Users', 'POST /Users', 'GET /Users/:id', 'PUT /Users/:id', 'PATCH /Users/:id', 'DELETE /Users/:id'],
    ...[
      'GET /ServiceProviderConfig',
      'GET /ResourceTypes',
      'GET /ResourceTypes/User',
      'GET /Schemas',
      'GET /Schemas/:id',
    ],
    'POST /.search',
    'POST /Users/.search',
    'GET /*',
  ].map((route) => [route.replace(' ', ' /scim/v2'), absent]),
);
