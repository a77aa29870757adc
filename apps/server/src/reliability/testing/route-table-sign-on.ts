import type { Expected } from './route-expected.ts';

/** A server without a sign-on has none of these, and no code that somebody guesses works. */
const absent = { access: 'public', ok: 404 } as const;

/** The routes of logging in with the clinic's account: a part of the table of all routes. */
export const SIGN_ON_ROUTES: Record<string, Expected> = {
  'GET /api/sign-on': absent,
  'GET /api/sign-on/callback': absent,
  'GET /api/sign-on/end': absent,
  'POST /api/sign-on/token': { ...absent, request: () => ({ payload: { code: 'guessed' } }) },
};
