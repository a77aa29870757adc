import { clinic, type Expected } from './route-expected.ts';

/** The routes of exports, and of what is exchanged with a billing system. */
export const BILLING_ROUTES: Record<string, Expected> = {
  'GET /api/exports': clinic,
  'POST /api/exports': { ...clinic, request: (s) => ({ payload: { from: s.date, until: s.date } }) },
};
