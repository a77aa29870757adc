import { clinic, located, type Expected } from './route-expected.ts';

/** The routes of exports, and of what is exchanged with a billing system. */
export const BILLING_ROUTES: Record<string, Expected> = {
  'GET /api/exports': clinic,
  'GET /api/folder-imports/last': clinic,
  'GET /api/folder-imports/differences': clinic,
  'POST /api/folder-imports/differences': {
    ...clinic,
    ok: 409, // no such difference
    request: () => ({ payload: { take: 'ours', rows: [{ key: 'id:1', version: 1 }] } }),
  },
  'POST /api/folder-imports/waiting/:id': {
    ...clinic,
    ok: 204, // it waits no longer
    url: () => '/api/folder-imports/waiting/00000000-0000-4000-8000-000000000000',
  },
  'POST /api/auditor-files': {
    ...located,
    request: (s) => ({ payload: { client: s.client.id, from: s.date, to: s.date } }),
  },
  'POST /api/exports': { ...clinic, request: (s) => ({ payload: { from: s.date, until: s.date } }) },
};
