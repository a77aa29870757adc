import { profilesEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openPage } from '../../testing/pages.tsx';

test('given people that are still loading, the palette says so, and never that there are none', async () => {
  let load!: (value: unknown) => void;
  const therapists = new Promise((resolve) => (load = resolve));
  await openPage('/closures', {
    replies: [
      [profilesEndpoints.listTherapists, () => therapists],
      [profilesEndpoints.listClients, []],
    ],
  });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('Profile of Jonathan');
  await expect.element(page.getByText('Still loading people')).toBeVisible();
  expect(page.getByText(/No results/).query()).toBeNull();
  load([]);
  await expect.element(page.getByText(/No results for “.*Jonathan”/)).toBeVisible();
});
