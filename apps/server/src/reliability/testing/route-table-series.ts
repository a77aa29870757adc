import { dayOfWeek, isoDate } from '@clinic/domain';
import { located, type Expected } from './route-expected.ts';
import type { Scene } from './route-scene.ts';

/** A weekly series of one session. */
const weekly = (s: Scene): object => {
  const from = s.freeDate();
  const weekday = dayOfWeek(isoDate(from));
  const day = { weekday, start: '09:00', end: '10:00', therapist: s.therapist.name };
  return { location: 'altamonte', client: s.client.name, subject: 'Direct Therapy', days: [day], from, until: from };
};

/** One session a week, on Mondays. */
const timesWish = (s: Scene): object => ({
  location: 'altamonte',
  client: s.client.name,
  sessions: 1,
  minutes: 60,
  people: 1,
  service: 'direct',
  from: s.freeDate(),
  windows: [{ weekday: 1, start: '08:00', end: '12:00' }],
});

/** The routes of weekly series, times for new sessions, and lost time made up. */
export const SERIES_ROUTES: Record<string, Expected> = {
  'POST /api/series': { ...located, ok: 201, request: (s) => ({ payload: weekly(s) }) },
  'POST /api/series/preview': { ...located, request: (s) => ({ payload: weekly(s) }) },
  'GET /api/series/recognised': { ...located, url: () => '/api/series/recognised?location=altamonte' },
  'POST /api/series/recognised': {
    ...located,
    request: () => ({ payload: { location: 'altamonte', keys: ['00000000-0000-4000-8000-000000000000'] } }),
  },
  'POST /api/times': { ...located, request: (s) => ({ payload: timesWish(s) }) },
  'POST /api/times/changes': { ...located, request: (s) => ({ payload: timesWish(s) }) },
  'GET /api/times/who': {
    ...located,
    url: (s) => `/api/times/who?location=altamonte&weekday=1&therapist=${encodeURIComponent(s.therapist.name)}`,
  },
  'GET /api/makeup': { ...located, url: () => '/api/makeup?location=altamonte' },
  'POST /api/makeup/proposal': {
    ...located,
    request: (s) => ({ payload: { location: 'altamonte', clients: [s.client.name], days: 5, times: 'any' } }),
  },
  'POST /api/makeup': {
    ...located,
    ok: 409, // nothing is owed to the client
    request: (s) => {
      const piece = { client: s.client.name, therapist: s.therapist.name, date: s.freeDate() };
      return { payload: { location: 'altamonte', pieces: [{ ...piece, start: '09:00', end: '10:00' }] } };
    },
  },
};
