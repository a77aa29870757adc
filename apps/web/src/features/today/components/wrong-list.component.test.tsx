import { todayEndpoints, type Wrong } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { serve, show } from '../../../testing/components.tsx';
import { WrongList } from './wrong-list.tsx';

const DAY = { location: 'tampa', date: isoDate('2026-11-25'), now: null } as const;
const session = (key: string, start: string, end: string, client: string | null, therapist: string | null) => ({
  key,
  location: DAY.location,
  start,
  end,
  client,
  therapist,
});
const TWICE: Wrong = {
  kind: 'twice',
  sessions: [
    session('a', '08:00', '10:00', 'Leah Grant', 'Yuki Ono'),
    session('b', '09:00', '11:00', 'Kenji', 'Yuki Ono'),
  ],
  times: [{ start: '09:00', end: '10:00' }],
  person: { type: 'therapist', name: 'Yuki Ono' },
};
const rule = (key: string, client: string): Wrong => ({
  kind: 'rule',
  sessions: [session(key, '13:00', '14:00', client, 'Farah Noor')],
  why: [`${client} is never with Farah Noor.`],
  by_cover: true,
});
const AWAY: Wrong = {
  kind: 'to-submit',
  sessions: [session('e', '15:00', '16:00', 'Mia', 'Ada')],
  times: [{ start: '15:00', end: '16:00' }],
};

test('each thing that is wrong is said in words and leads to its mending', async () => {
  const screen = await show(<WrongList list={[TWICE, rule('c', 'Leo'), AWAY]} day={DAY} />);
  const way = (name: RegExp) => screen.getByRole('link', { name });
  await expect.element(screen.getByText('Leah Grant and Kenji, 9:00 AM - 10:00 AM')).toBeVisible();
  await expect.element(screen.getByText('Leo is never with Farah Noor.')).toBeVisible();
  await expect.element(screen.getByText('Still booked 3:00 PM - 4:00 PM.')).toBeVisible();
  await expect
    .element(way(/^Choose one.*Yuki Ono is booked twice/))
    .toHaveAttribute('href', '/calendar?date=2026-11-25&location=tampa&view=therapist&find=Yuki+Ono');
  await expect
    .element(way(/^See options.*Mia is away, not submitted/))
    .toHaveAttribute('href', '/calendar?date=2026-11-25&location=tampa&view=client&find=Mia&options=open');
  await expect.element(screen.getByRole('button', { name: /^Find cover.*Leo is with Farah Noor/ })).toBeVisible();
});

test('a clash with a session whose names the account may not see names no one', async () => {
  const hidden: Wrong = { ...TWICE, sessions: [session('a', '08:00', '10:00', null, null)], person: undefined };
  const screen = await show(<WrongList list={[hidden]} day={DAY} />);
  await expect.element(screen.getByRole('link', { name: 'Someone is booked twice', exact: true })).toBeVisible();
  expect(screen.container.textContent).not.toMatch(/null|undefined/);
});

test('cover for all is asked for once, however often it is clicked, and failing it can be asked for again', async () => {
  const requests = serve([todayEndpoints.coverWrong, new Response('Bad Gateway', { status: 502 })]);
  const screen = await show(<WrongList list={[rule('c', 'Leo'), rule('d', 'Ada')]} day={DAY} />);
  const all = screen.getByRole('button', { name: 'Find cover for these 2' });
  await all.dblClick();
  await expect.element(screen.getByText(/It may have been saved\. Check the list/)).toBeVisible();
  expect(requests).toEqual([
    { path: '/today/cover', body: { location: 'tampa', date: '2026-11-25', sessions: ['c', 'd'] } },
  ]);
  await all.click();
  await expect.poll(() => requests.length).toBe(2);
});

test('cover for all is offered for two or more only', async () => {
  const screen = await show(<WrongList list={[rule('c', 'Leo'), AWAY]} day={DAY} />);
  await expect.element(screen.getByRole('button', { name: /^Find cover.*Leo is with Farah Noor/ })).toBeVisible();
  expect(screen.getByRole('button').elements()).toHaveLength(1);
});
