import { clinic, listed, type Expected } from './route-expected.ts';

const TAMPA = { label: 'Tampa', group: 'West Florida', zone: 'America/New_York', hours: [] };

/** The routes of the clinic's locations. */
export const LOCATION_ROUTES: Record<string, Expected> = {
  'GET /api/locations': listed,
  'POST /api/locations': {
    access: 'clinic',
    ok: 201,
    request: (s) => ({ payload: { ...TAMPA, label: `Mesa ${s.number()}` } }),
  },
  'PUT /api/locations/:location': {
    ...clinic,
    url: () => '/api/locations/tampa',
    request: () => ({ payload: TAMPA }),
  },
  'GET /api/locations/:location/remaining': {
    ...clinic,
    url: (s) => `/api/locations/tampa/remaining?from=${s.date}`,
  },
  'PUT /api/locations/:location/closing': {
    ...clinic,
    url: () => '/api/locations/tampa/closing',
    request: () => ({ payload: { from: null } }),
  },
  'POST /api/locations/:location/merge/preview': {
    ...clinic,
    url: () => '/api/locations/tampa/merge/preview',
    request: () => ({ payload: { into: 'orlando', from: '2032-01-05' } }),
  },
  'POST /api/locations/:location/merge': {
    access: 'clinic',
    ok: 422, // into itself
    url: () => '/api/locations/tampa/merge',
    request: (s) => ({ payload: { into: 'tampa', from: s.freeDate() } }),
  },
};
