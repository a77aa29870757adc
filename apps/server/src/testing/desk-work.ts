import { addDays, dayOfWeek, isoDate, type IsoDate } from '@clinic/domain';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Therapist, WireAppointment } from '@clinic/contract';
import { slotsOf } from './calls.ts';
import type { SignedIn, TestApp } from './test-app.ts';
import { pastAccount, pastTherapist } from './years.ts';

/**
 * A request that the front desk makes daily, sent to a clinic with years of history (`fillYears`). It must not get
 * slower as the history grows.
 */
export interface DeskWork {
  readonly name: string;
  /** The account that sends the request; by default, the desk's own account. */
  readonly as?: SignedIn;
  /** Prepares and returns the request; the preparation is not measured. Each `n` gives a different request. */
  readonly prepare: (n: number) => InjectOptions | Promise<InjectOptions>;
}

/** Returns the next working day after today or, with `ahead`, the working day that many working days later. */
function workday(today: IsoDate, ahead: number): IsoDate {
  let date = today;
  for (let left = ahead; left >= 0;) {
    date = addDays(date, 1);
    if (dayOfWeek(date) % 6 !== 0) left--;
  }
  return date;
}

/**
 * The requests on a normal day.
 * @param who an account with access to everything
 * @param therapist the account of `pastTherapist(1, 0)`
 */
export function deskWork(t: TestApp, who: SignedIn, therapist: SignedIn): DeskWork[] {
  const today = isoDate(new Date().toISOString().slice(0, 10));
  const day = (n: number): IsoDate => workday(today, 2 + (n % 30));
  const at = (path: string, n = 0): string => `${path}?location=altamonte&date=${day(n)}`;
  const must = async (reply: Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> => {
    const done = await reply;
    if (done.statusCode >= 400) throw new Error(done.body);
    return done;
  };
  const booked = async (n: number): Promise<WireAppointment> => {
    const { appointments } = await slotsOf(who, day(n));
    const found = appointments[n % appointments.length];
    if (!found) throw new Error('a day without sessions');
    return found;
  };
  const clientOf = async (): Promise<{ id: string; name: string }> => {
    const row = await t.deps.db
      .selectFrom('appointment as a')
      .innerJoin('client as c', 'c.id', 'a.client_id')
      .select(['c.id', 'c.display_name as name'])
      .where('a.therapist_id', '=', pastTherapist(1, 0))
      .orderBy('a.starts', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return row;
  };
  const evening = async (n: number, more: object = {}): Promise<InjectOptions> => ({
    method: 'POST',
    url: '/api/appointments',
    payload: {
      location: 'altamonte',
      client: (await clientOf()).name,
      therapist: 'Thea N1x0',
      date: day(n),
      start: '17:00',
      end: '18:00',
      subject: 'Direct Therapy',
      anyway: true, // after the therapists' hours
      ...more,
    },
  });
  const profile = (n: number): object => ({
    first_name: `Nell${n}`,
    last_name: `Made${Math.floor(Math.random() * 1e9)}`,
    location: 'altamonte',
    specialization: 'RBT',
    gender: 'Female',
    start_date: '2024-03-04',
    availability: [],
  });
  const made = async (n: number): Promise<string> =>
    (await must(who.call({ method: 'POST', url: '/api/therapists', payload: profile(n) }))).json<Therapist>().id;
  const away = (n: number): object => {
    const query = { type: 'therapist_cancel', therapist: 'Thea N1x1', date: day(n), begin: '08:00', end: '10:00' };
    return { location: 'altamonte', date: day(n), queries: [{ ...query, location: 'altamonte', replaces: true }] };
  };
  /** The query for the four weeks before day `n`; most of those dates are in the past. */
  const month = (n: number): string =>
    `location=altamonte&from=${addDays(today, -28 - n)}&to=${addDays(today, -1 - n)}`;
  const reported = {
    from_date: day(0),
    from_time: '08:00',
    to_date: day(0),
    to_time: '12:00',
    cause: 'sick',
  };
  const get = (name: string, url: (n: number) => string | Promise<string>): DeskWork => ({
    name,
    prepare: async (n) => ({ method: 'GET', url: await url(n) }),
  });
  return [
    get('a day', (n) => at('/api/slots', n)),
    get('Today', (n) => at('/api/today', n)),
    get('the commits of a day', (n) => at('/api/commits', n)),
    get('the trail, newest first', () => '/api/audit'),
    get('the trail of a client', async () => `/api/audit?subject=${(await clientOf()).id}`),
    get('the trail of an account', (n) => `/api/audit?account=${pastAccount(n)}`),
    get('a client’s sessions', async (n) => {
      const name = encodeURIComponent((await clientOf()).name);
      return `/api/timeslots?location=altamonte&start_date=${day(n)}&client_name=${name}`;
    }),
    get('what follows in a series', async (n) => `/api/appointments/${(await booked(n)).key}/series`),
    {
      name: 'a new therapist',
      prepare: (n) => ({ method: 'POST', url: '/api/therapists', payload: profile(n) }),
    },
    {
      name: 'saving a therapist',
      prepare: async (n) => ({ method: 'PUT', url: `/api/therapists/${await made(n)}`, payload: profile(n + 1000) }),
    },
    {
      name: 'checking a therapist',
      prepare: (n) => ({ method: 'POST', url: `/api/therapists/${pastTherapist(1, 0)}/check`, payload: profile(n) }),
    },
    {
      name: 'deleting a therapist',
      prepare: async (n) => ({ method: 'DELETE', url: `/api/therapists/${await made(n)}` }),
    },
    { name: 'booking a session', prepare: (n) => evening(n, { start: '16:00', end: '17:00' }) },
    {
      name: 'booking a weekly series',
      prepare: (n) =>
        evening(0, {
          start: `18:${String(n % 60).padStart(2, '0')}`,
          end: `18:${String((n % 60) + 1).padStart(2, '0')}`,
          weekly_until: addDays(day(0), 70),
        }),
    },
    {
      name: 'cancelling a weekly series',
      prepare: async (n) => {
        const time = (m: number): string => `19:${String(m % 60).padStart(2, '0')}`;
        const series = await evening(0, { start: time(n), end: time(n + 1), weekly_until: addDays(day(0), 70) });
        const [first] = (await must(who.call(series))).json<WireAppointment[]>();
        return { method: 'POST', url: `/api/appointments/${first?.key}/cancel`, payload: { scope: 'following' } };
      },
    },
    get('the care ledger', (n) => at('/api/ledgers/care', n)),
    get('a client in the care ledger', async (n) => `/api/ledgers/care/${(await clientOf()).id}?date=${day(n)}`),
    get('the supervision ledger', (n) => at('/api/ledgers/supervision', n)),
    get('an RBT in the supervision ledger', (n) => `/api/ledgers/supervision/${pastTherapist(1, 0)}?date=${day(n)}`),
    get('the ledger of authorizations', (n) => at('/api/ledgers/authorizations', n)),
    get(
      'a client in the ledger of authorizations',
      async (n) => `/api/ledgers/authorizations/${(await clientOf()).id}?date=${day(n)}`,
    ),
    get('the hours ledger', (n) => at('/api/ledgers/hours', n)),
    get('a therapist in the hours ledger', (n) => `/api/ledgers/hours/${pastTherapist(1, 0)}?date=${day(n)}`),
    get('the calls of a day', (n) => at('/api/calls', n)),
    get('how many calls a day has', (n) => at('/api/calls/count', n)),
    get('the later days with calls', (n) => at('/api/calls/later', n)),
    get('plan B of a day', (n) => at('/api/calls/plan-b', n)),
    get('a report of four weeks', (n) => `/api/reports?${month(n)}`),
    get('the sessions behind a figure', (n) => `/api/reports/sessions?${month(n)}&by=total&figure=booked`),
    get('a report as a file', (n) => `/api/reports/file?${month(n)}&format=csv`),
    get('what therapists reported', () => '/api/absence-reports?location=altamonte'),
    get('the causes', () => '/api/causes'),
    get('a client', async () => `/api/clients/${(await clientOf()).id}`),
    get('what became of a session', async (n) => `/api/appointments/${(await booked(n)).key}/history`),
    { ...get('a therapist’s own day', () => '/api/me'), as: therapist },
    {
      name: 'reporting an absence',
      as: therapist,
      prepare: () => ({ method: 'POST', url: '/api/me/absences', payload: reported }),
    },
    {
      name: 'saving an absence',
      prepare: (n) => ({ method: 'POST', url: '/api/api/scheduler/process', payload: away(n) }),
    },
    {
      name: 'withdrawing an absence',
      prepare: async (n) => {
        await must(who.call({ method: 'POST', url: '/api/api/scheduler/process', payload: away(n) }));
        const person = { type: 'therapist', name: 'Thea N1x1', take_back: true };
        const payload = { location: 'altamonte', date: day(n), ...person };
        return { method: 'POST', url: '/api/absences/withdraw', payload };
      },
    },
  ];
}
