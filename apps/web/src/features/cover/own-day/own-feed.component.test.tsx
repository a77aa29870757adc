import { ownDayEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { serve, show } from '../../../testing/components.tsx';
import { OwnFeed } from './own-feed.tsx';

const { ownFeed, makeOwnFeed, endOwnFeed } = ownDayEndpoints;
const MADE = { made_at: '2030-11-20T12:00:00Z', read_at: null };

test('a therapist without an address makes one, which is shown once, with what it lets others see', async () => {
  serve([ownFeed, { feed: null, names: 'initials' }], [makeOwnFeed, { secret: 'abc' }]);
  const screen = await show(<OwnFeed />);
  await expect.element(screen.getByText('times and places, with children’s initials.', { exact: false })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'End the Address' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Make an Address' }).click();
  const address = screen.getByLabelText('Address');
  await expect.element(address).toHaveValue(`${window.location.origin}/feeds/abc.ics`);
  await expect.element(screen.getByText('not shown again', { exact: false })).toBeVisible();
});

test('an address that no program has read says so, and can be ended', async () => {
  const requests = serve([ownFeed, { feed: MADE }], [endOwnFeed, new Response(null, { status: 204 })]);
  const screen = await show(<OwnFeed />);
  await expect.element(screen.getByText('No program has read it yet', { exact: false })).toBeVisible();
  await screen.getByRole('button', { name: 'End the Address' }).click();
  await expect.poll(() => requests.map(({ path }) => path)).toEqual(['/me/feed']);
});

test('a server that cannot be reached ends nothing, and says so', async () => {
  serve([ownFeed, { feed: MADE }], [makeOwnFeed, null]);
  const screen = await show(<OwnFeed />);
  await screen.getByRole('button', { name: 'Make a New Address' }).click();
  await expect.element(screen.getByText('may', { exact: false }).first()).toBeVisible();
  await expect.element(screen.getByLabelText('Address')).not.toBeInTheDocument();
});
