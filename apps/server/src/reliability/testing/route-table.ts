// This file is over 250 lines because it has a row for every route that shows or changes the clinic's data.
import { DEFAULT_RULES } from '@clinic/contract';
import { clinic, day, listed, located, report, therapists, type Expected } from './route-expected.ts';
import type { Scene } from './route-scene.ts';
import { ACCOUNT_ROUTES } from './route-table-accounts.ts';
import { BILLING_ROUTES } from './route-table-billing.ts';
import { LOCATION_ROUTES } from './route-table-locations.ts';
import { RECORD_ROUTES } from './route-table-records.ts';
import { SERIES_ROUTES } from './route-table-series.ts';
import { FACES_ROUTES } from './route-table-faces.ts';

const therapistBody = (n: number): object => ({
  first_name: `Tess${n}`,
  last_name: 'Moor',
  location: 'altamonte',
  specialization: 'RBT',
  gender: 'Female',
  start_date: '2024-03-04',
  availability: [],
});
const clientBody = (n: number): object => ({
  first_name: `Cleo${n}`,
  last_name: 'Moor',
  location: 'altamonte',
  gender: 'Female',
  restrictions: [],
});
const session = (s: Scene, date = s.freeDate()): object => ({
  location: 'altamonte',
  client: s.client.name,
  therapist: s.therapist.name,
  date,
  start: '09:00',
  end: '10:00',
  subject: 'Direct Therapy',
});
const away = (s: Scene): object => ({ location: 'altamonte', type: 'therapist', name: s.therapist.name });
const WHOLE_DAY = { from_time: '00:00', to_time: '24:00' };
const closing = (s: Scene): object => {
  const date = s.nearDate();
  return { ...WHOLE_DAY, locations: ['altamonte'], from_date: date, to_date: date, name: 'Storm', cause: null };
};
const leaveDates = (date: string): object => ({
  first_date: date,
  last_date: date,
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  begin: '08:00',
  end: '09:00',
});
const endOfLeave = (s: Scene): object => ({ payload: { location: 'altamonte', date: s.freeDate(), scope: 'all' } });
const nobodysCall = (s: Scene): object => ({
  location: 'altamonte',
  date: s.freeDate(),
  kind: 'client',
  id: s.client.id,
});
const CSV = [
  '--part',
  'content-disposition: form-data; name="clients"; filename="clients.csv"',
  'content-type: text/csv',
  '',
  'id,first_name,last_name,location,gender,restrictions',
  '--part--',
  '',
].join('\r\n');

/** Every route of the server by method and pattern, with a valid request and the status for each type of caller. */
export const ROUTES: Record<string, Expected> = {
  ...ACCOUNT_ROUTES,
  ...BILLING_ROUTES,
  ...LOCATION_ROUTES,
  ...SERIES_ROUTES,
  ...FACES_ROUTES,
  ...RECORD_ROUTES,
  'POST /api/imports': {
    ...clinic,
    url: () => '/api/imports?dry_run=true',
    request: () => ({ headers: { 'content-type': 'multipart/form-data; boundary=part' }, payload: CSV }),
  },
  'GET /api/slots': { ...located, url: day('/api/slots') },
  'GET /api/causes': listed,
  'POST /api/causes': {
    access: 'clinic',
    ok: 201,
    request: (s) => ({ payload: { label: `Cause ${s.number()}`, lost_by: null } }),
  },
  'PUT /api/causes/:id': {
    ...clinic,
    url: () => '/api/causes/weather',
    request: () => ({ payload: { label: 'Weather', lost_by: 'clinic' } }),
  },
  'DELETE /api/causes/:id': { ...clinic, url: () => '/api/causes/training' },
  'PUT /api/absences/:key/cause': {
    ...located,
    ok: 204,
    url: async (s) => `/api/absences/${await s.ownAbsence()}/cause`,
    request: () => ({ payload: { cause: 'sick' } }),
  },
  'PUT /api/appointments/:key/cause': {
    ...located,
    ok: 204,
    url: async (s) => `/api/appointments/${await s.lostSession()}/cause`,
    request: () => ({ payload: { cause: 'sick' } }),
  },
  'GET /api/reports': { ...located, url: report('/api/reports') },
  'GET /api/reports/sessions': {
    ...located,
    url: (s) => `${report('/api/reports/sessions')(s)}&by=total&figure=booked`,
  },
  'GET /api/reports/file': { ...located, url: (s) => `${report('/api/reports/file')(s)}&format=csv` },
  'GET /api/ledgers/hours': { ...located, url: day('/api/ledgers/hours') },
  'GET /api/ledgers/hours/:id': {
    ...located,
    url: (s) => `/api/ledgers/hours/${s.therapist.id}?date=${s.date}`,
  },
  'GET /api/ledgers/supervision': { ...located, url: day('/api/ledgers/supervision') },
  'GET /api/ledgers/supervision/:id': {
    ...located,
    url: (s) => `/api/ledgers/supervision/${s.therapist.id}?date=${s.date}`,
  },
  'GET /api/ledgers/authorizations': { ...located, url: day('/api/ledgers/authorizations') },
  'GET /api/ledgers/authorizations/:id': {
    ...located,
    url: (s) => `/api/ledgers/authorizations/${s.client.id}?date=${s.date}`,
  },
  'GET /api/ledgers/care': { ...located, url: day('/api/ledgers/care') },
  'GET /api/ledgers/care/:id': { ...located, url: (s) => `/api/ledgers/care/${s.client.id}?date=${s.date}` },
  'GET /api/payers': listed,
  'PUT /api/payers': { ...clinic, request: () => ({ payload: { name: 'Acme', credential: null, tag: null } }) },
  'POST /api/payers/check': { ...clinic, request: () => ({ payload: { name: 'Acme', credential: null, tag: null } }) },
  'GET /api/rules': listed,
  'PUT /api/rules': { ...clinic, request: () => ({ payload: DEFAULT_RULES }) },
  'GET /api/presence': listed,
  'PUT /api/presence': {
    ...located,
    ok: 204,
    request: (s) => ({
      payload: { tab: `tab of ${s.number()}`, work: { location: 'altamonte', date: s.date, what: 'options' } },
    }),
  },
  'GET /api/today': { ...located, url: day('/api/today') },
  'GET /api/today/week': { ...listed, url: (s) => `/api/today/week?from=${s.date}` },
  'POST /api/today/cover': {
    ...located,
    request: (s) => ({ payload: { location: 'altamonte', date: s.date, sessions: [crypto.randomUUID()] } }),
  },
  'GET /api/commits': { ...located, url: day('/api/commits') },
  'GET /api/commits/:id/workbook': { ...located, url: (s) => `/api/commits/${s.commit}/workbook` },
  'POST /api/commits/:id/undo': { ...located, url: (s) => `/api/commits/${s.commit}/undo` },
  'GET /api/calls': { ...located, url: day('/api/calls') },
  'GET /api/calls/count': { ...located, url: day('/api/calls/count') },
  'GET /api/calls/later': { ...located, url: day('/api/calls/later') },
  'GET /api/calls/same': { ...located, url: day('/api/calls/same') },
  'GET /api/calls/week': { ...listed, url: (s) => `/api/calls/week?from=${s.date}` },
  // The person is not on that day's call list, but an account at another location must not even learn that.
  'POST /api/calls/answer': {
    ...located,
    ok: 404,
    request: (s) => ({ payload: { ...nobodysCall(s), version: '', answer: 'told' } }),
  },
  'GET /api/calls/plan-b': { ...located, url: day('/api/calls/plan-b') },
  'POST /api/calls/said-no/take-back': {
    ...located,
    ok: 404,
    request: (s) => ({ payload: { location: 'altamonte', date: s.freeDate(), id: '1' } }),
  },
  'POST /api/calls/claim': {
    ...located,
    ok: 404,
    request: (s) => ({ payload: { ...nobodysCall(s), ringing: true } }),
  },
  // These tests run with the sending of messages turned off.
  'POST /api/calls/release': {
    ...located,
    ok: 422,
    request: (s) => ({ payload: { location: 'altamonte', date: s.freeDate() } }),
  },
  'GET /api/calls/day-sheet': { ...located, url: day('/api/calls/day-sheet') },
  'POST /api/calls/day-sheet': {
    ...located,
    request: (s) => ({ payload: { location: 'altamonte', date: s.freeDate() } }),
  },
  'GET /api/me': therapists,
  'POST /api/me/absences': {
    access: 'therapist',
    ok: 204,
    request: () => {
      const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
      const times = { from_time: '08:00', to_time: '12:00' };
      return { payload: { from_date: date, to_date: date, ...times, cause: 'sick' } };
    },
  },
  // The report belongs to another therapist, so it does not exist for the therapist who asks.
  'POST /api/me/absences/:id/withdraw': {
    access: 'therapist',
    ok: 404,
    url: async (s) => `/api/me/absences/${await s.ownReport()}/withdraw`,
  },
  'GET /api/absence-reports': { ...located, url: () => '/api/absence-reports?location=altamonte' },
  'POST /api/absence-reports/:id/confirm': {
    ...located,
    url: async (s) => `/api/absence-reports/${await s.ownReport()}/confirm`,
    request: () => ({ payload: { location: 'altamonte' } }),
  },
  'POST /api/absence-reports/:id/decline': {
    ...located,
    url: async (s) => `/api/absence-reports/${await s.ownReport()}/decline`,
    request: () => ({ payload: { location: 'altamonte' } }),
  },
  'POST /api/absence-reports/:id/preview': {
    ...located,
    url: async (s) => `/api/absence-reports/${await s.ownReport()}/preview`,
    request: (s) => ({ payload: { location: 'altamonte', date: s.freeDate() } }),
  },
  // Nothing has changed for this therapist that day.
  'POST /api/me/answer': {
    access: 'therapist',
    ok: 409,
    request: (s) => ({ payload: { location: 'altamonte', date: s.freeDate(), version: 'x', answer: 'yes' } }),
  },
  'GET /api/timeslots': {
    ...located,
    url: (s) =>
      `/api/timeslots?location=altamonte&start_date=${s.date}&client_name=${encodeURIComponent(s.client.name)}`,
  },
  'GET /api/therapists': listed,
  'POST /api/therapists': { ...located, ok: 201, request: (s) => ({ payload: therapistBody(s.number()) }) },
  'GET /api/therapists/:id': { ...located, url: (s) => `/api/therapists/${s.therapist.id}` },
  'PUT /api/therapists/:id': {
    ...located,
    url: async (s) => `/api/therapists/${await s.ownTherapist()}`,
    request: (s) => ({ payload: therapistBody(s.number()) }),
  },
  'DELETE /api/therapists/:id': {
    ...located,
    ok: 204,
    url: async (s) => `/api/therapists/${await s.ownTherapist()}`,
  },
  'POST /api/therapists/:id/check': {
    ...located,
    url: (s) => `/api/therapists/${s.therapist.id}/check`,
    request: (s) => ({ payload: therapistBody(s.number()) }),
  },
  'GET /api/clients': listed,
  'POST /api/clients': { ...located, ok: 201, request: (s) => ({ payload: clientBody(s.number()) }) },
  'GET /api/clients/:id': { ...located, url: (s) => `/api/clients/${s.client.id}` },
  'PUT /api/clients/:id': {
    ...located,
    url: (s) => `/api/clients/${s.client.id}`,
    request: (s) => ({ payload: { ...clientBody(0), first_name: 'Bo', last_name: s.client.name.split(' ')[1] } }),
  },
  'POST /api/clients/:id/check': {
    ...located,
    url: (s) => `/api/clients/${s.client.id}/check`,
    request: (s) => ({ payload: clientBody(s.number()) }),
  },
  'POST /api/appointments': { ...located, ok: 201, request: (s) => ({ payload: session(s) }) },
  'PUT /api/appointments/:key': {
    ...located,
    url: async (s) => `/api/appointments/${await s.ownSession()}`,
    request: (s) => ({ payload: session(s) }),
  },
  'GET /api/appointments/:key/series': {
    ...located,
    url: async (s) => `/api/appointments/${await s.ownSession()}/series`,
  },
  'GET /api/appointments/:key/history': {
    ...located,
    url: async (s) => `/api/appointments/${await s.ownSession()}/history`,
  },
  'GET /api/people/:type/:id/history': { ...located, url: (s) => `/api/people/client/${s.client.id}/history` },
  'GET /api/appointments/:key/swaps': {
    ...located,
    url: async (s) => `/api/appointments/${await s.ownSession()}/swaps`,
  },
  'POST /api/appointments/:key/swap': {
    ...located,
    url: async (s) => `/api/appointments/${(await s.ownPair())[0]}/swap`,
    request: async (s) => ({ payload: { with: (await s.ownPair())[1], version: 1, with_version: 1, anyway: true } }),
  },
  'POST /api/appointments/:key/cancel': {
    ...located,
    url: async (s) => `/api/appointments/${await s.ownSession()}/cancel`,
    request: () => ({ payload: {} }),
  },
  'POST /api/appointments/:key/take-back': {
    ...located,
    ok: 409, // the caller did not book it
    url: async (s) => `/api/appointments/${await s.ownSession()}/take-back`,
    request: () => ({ payload: {} }),
  },
  'POST /api/api/scheduler/process': {
    ...located,
    request: (s) => {
      const date = s.freeDate();
      const away = { type: 'therapist_cancel', therapist: s.therapist.name, date, begin: '08:00', end: '09:00' };
      return { payload: { location: 'altamonte', date, queries: [{ ...away, location: 'altamonte' }] } };
    },
  },
  'POST /api/absences/withdraw': {
    ...located,
    request: async (s) => ({
      payload: { location: 'altamonte', date: await s.awayDate(), type: 'therapist', name: s.therapist.name },
    }),
  },
  'GET /api/absences/withdrawals': { ...located, url: day('/api/absences/withdrawals') },
  'POST /api/absences/restore': {
    ...located,
    request: async (s) => ({
      payload: { location: 'altamonte', date: await s.backDate(), type: 'therapist', name: s.therapist.name },
    }),
  },
  'GET /api/closures': listed,
  'POST /api/closures': { ...located, request: (s) => ({ payload: closing(s) }) },
  'POST /api/closures/preview': { ...located, request: (s) => ({ payload: closing(s) }) },
  'POST /api/closures/:id/reopen': {
    ...located,
    url: async (s) => `/api/closures/${await s.ownClosure()}/reopen`,
    request: () => ({ payload: { location: 'altamonte' } }),
  },
  'POST /api/closures/:id/reopen-preview': {
    ...located,
    url: async (s) => `/api/closures/${await s.ownClosure()}/reopen-preview`,
    request: () => ({ payload: { location: 'altamonte' } }),
  },
  'POST /api/holidays': {
    ...located,
    request: (s) => ({
      payload: { holidays: [{ ...WHOLE_DAY, location: 'altamonte', date: s.nearDate(), name: 'Holiday' }] },
    }),
  },
  'POST /api/holidays/read': {
    ...listed,
    request: () => ({ payload: { ics: 'BEGIN:VCALENDAR\nEND:VCALENDAR' } }),
  },
  'GET /api/leave': { ...located, url: (s) => `/api/leave?location=altamonte&date=${s.date}` },
  'POST /api/leave': { ...located, request: (s) => ({ payload: { ...away(s), ...leaveDates(s.nearDate()) } }) },
  'POST /api/leave-preview': { ...located, request: (s) => ({ payload: { ...away(s), ...leaveDates(s.nearDate()) } }) },
  'GET /api/leave/:id': { ...located, url: async (s) => `/api/leave/${await s.ownLeave()}` },
  'PUT /api/leave/:id': {
    ...located,
    url: async (s) => `/api/leave/${await s.ownLeave()}`,
    request: (s) => {
      const date = s.nearDate();
      return { payload: { location: 'altamonte', scope: 'all', date, ...leaveDates(date) } };
    },
  },
  'POST /api/leave/:id/end': {
    ...located,
    url: async (s) => `/api/leave/${await s.ownLeave()}/end`,
    request: endOfLeave,
  },
  'POST /api/leave/:id/end-preview': {
    ...located,
    url: async (s) => `/api/leave/${await s.ownLeave()}/end-preview`,
    request: endOfLeave,
  },
  // Nothing was changed at that moment.
  'POST /api/leave/:id/undo': {
    ...located,
    ok: 409,
    url: async (s) => `/api/leave/${await s.ownLeave()}/undo`,
    request: () => ({ payload: { location: 'altamonte', changed_at: new Date(0).toISOString() } }),
  },
  'POST /api/proposals': {
    ...located,
    request: (s) => ({ payload: { location: 'altamonte', dates: [s.freeDate()] } }),
  },
  'POST /api/proposals/explain': { ...located, request: (s) => ({ payload: s.explainBody }) },
  'POST /api/proposals/choices': { ...located, request: (s) => ({ payload: s.explainBody }) },
  'POST /api/proposals/calls': { ...located, request: (s) => ({ payload: s.explainBody }) },
  'POST /api/proposals/to-tell': { ...located, request: (s) => ({ payload: s.explainBody }) },
  'POST /api/sessions/choices': {
    ...located,
    request: (s) => {
      const session = { client: s.client.name, start: '09:00', end: '10:00', subject: 'Direct Therapy' };
      return { payload: { location: 'altamonte', date: s.freeDate(), session } };
    },
  },
  'POST /api/standing': {
    ...located,
    request: (s) => {
      const date = s.freeDate();
      return { payload: { location: 'altamonte', therapist: s.therapist.id, from: date, until: date } };
    },
  },
  'POST /api/standing/price': {
    ...located,
    request: (s) => {
      const date = s.freeDate();
      return { payload: { location: 'altamonte', therapist: s.therapist.id, from: date, until: date } };
    },
  },
  'POST /api/standing/commit': {
    ...located,
    request: async (s) => ({ payload: await s.standingBody() }),
  },
  'POST /api/refresher': { ...located, request: async (s) => ({ payload: await s.refreshBody() }) },
  'POST /api/actions': { ...located, request: (s) => ({ payload: s.submitBody }) },
};
