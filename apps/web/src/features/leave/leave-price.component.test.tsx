import { profilesEndpoints, standingEndpoints, type StandingPrice } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { learnServerNow } from '../../shared/server-clock.ts';
import { serve, show } from '../../testing/components.tsx';
import { LeavePrice } from './leave-price.tsx';

const ANA = { id: 'ana', display_name: 'Ana Ruiz', location: 'altamonte' };
const TERMS = {
  type: 'therapist' as const,
  name: 'Ana Ruiz',
  first_date: '2090-12-11',
  last_date: '2090-12-15',
  weekdays: [1, 2, 3, 4, 5],
  begin: '00:00',
  end: '23:59',
};
const priceOf = (minutes: number): StandingPrice => ({
  from: '2090-12-11',
  until: '2090-12-15',
  sessions: 4,
  minutes: 720,
  open: { sessions: 1, minutes, authorized: minutes },
  faces: [{ child: 'Ruby Haddad', names: ['Kai Morgan'] }],
  supervision: [{ name: 'Rob Lee', month: '2090-12', minutes: 60, needed: 120, contacts: 1, contacts_needed: 2 }],
  proven: true,
});
/** The prices in the order in which ranges are asked for. */
const prices = (minutes: readonly number[]) => {
  const left = [...minutes];
  return () => priceOf(left.shift() ?? 180);
};

async function open(
  last_date: string | null = TERMS.last_date,
  onUse?: (dates: unknown) => void,
  filled: string | null = null,
) {
  learnServerNow(Date.parse('2090-11-01T12:00:00Z'));
  onTestFinished(() => learnServerNow(Date.now()));
  await show(
    <LeavePrice
      location="altamonte"
      terms={{ ...TERMS, last_date }}
      last={isoDate('2091-03-01')}
      filled={filled === null ? null : isoDate(filled)}
      onUse={onUse}
    />,
  );
  return page.getByRole('region', { name: 'What it would cost' });
}

test('[WKS-03] given an absence that is asked for, it says what it costs, and the nearest dates that cost less', async () => {
  const used: unknown[] = [];
  const sent = serve(
    [profilesEndpoints.listTherapists, [ANA]],
    [standingEndpoints.priceAbsence, prices([180, 180, 90, 60])],
  );
  const price = await open(TERMS.last_date, (dates) => used.push(dates));
  await expect.element(price).toMatchTextContent('If nobody covers: 12 h lost.');
  await expect.element(price).toMatchTextContent('With a standing replacement: 3 h lost');
  await expect.element(price).toMatchTextContent('Authorizations would pay for 3 h of them.');
  await expect.element(price).toMatchTextContent('New faces: Kai Morgan for Ruby Haddad.');
  await expect.element(price).toMatchTextContent('Short of supervision: Rob Lee in December (1 h of 2 h).');
  await expect.element(price).toMatchTextContent('Tue, Dec 12 to Mon, Dec 18 costs less: 1 h 30 min lost, 1 new face');
  await expect.element(price).toMatchTextContent('Thu, Dec 7 to Wed, Dec 13 costs less: 1 h lost, 1 new face');
  expect(sent).toHaveLength(4);
  await page.getByRole('button', { name: 'Use these dates' }).first().click();
  expect(used).toEqual([{ first: '2090-12-12', last: '2090-12-18' }]);
});

test('[WKS-03] given no cheaper dates, it says so', async () => {
  serve([profilesEndpoints.listTherapists, [ANA]], [standingEndpoints.priceAbsence, prices([])]);
  const price = await open();
  await expect.element(price).toMatchTextContent('No dates that begin within two weeks cost less.');
});

test('[WKS-03] given a failure, it says that the price is not computed', async () => {
  serve([profilesEndpoints.listTherapists, [ANA]], [standingEndpoints.priceAbsence, null]);
  const price = await open();
  await expect.element(price).toMatchTextContent('Not computed.');
});

test('[WKS-03] given no last day, other dates are not compared, and it says so', async () => {
  const sent = serve([profilesEndpoints.listTherapists, [ANA]], [standingEndpoints.priceAbsence, prices([])]);
  const price = await open(null);
  await expect.element(price).toMatchTextContent('Other dates are compared once there is a last day.');
  expect(sent).toMatchObject([{ body: { until: '2091-03-01' } }]);
});

test('[WKS-03] given a calendar that is filled only for the first days, later dates are not compared, and it says why', async () => {
  const sent = serve([profilesEndpoints.listTherapists, [ANA]], [standingEndpoints.priceAbsence, prices([])]);
  const price = await open(TERMS.last_date, undefined, '2090-12-12');
  await expect.element(price).toMatchTextContent('Later ones are not compared: not all of their sessions are booked');
  expect(sent.map(({ body }) => (body as { from: string }).from).filter((from) => from > '2090-12-11')).toEqual([]);
});
