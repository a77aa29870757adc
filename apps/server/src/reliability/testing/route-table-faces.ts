import { located, type Expected } from './route-expected.ts';

/** The routes of the handover before a leave. */
export const FACES_ROUTES: Record<string, Expected> = {
  'POST /api/standing/meetings': {
    ...located,
    request: async (s) => ({ payload: { ...(await s.standingBody()), times: 1 } }),
  },
};
