import type { ProposalReply } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { OptionsModal } from '../pages/options.ts';

test('[SOL-03] given that time ran out after Option 1, the empty columns are narrow, and *Look longer* finds the other options @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const at = 'tampa';
  const date = addDays(await api.today(), 6);
  await api.callOut(date, at, 1);
  await signedIn(page);
  const asked: unknown[] = [];
  await page.route('**/api/proposals', async (route) => {
    const { wait_for } = route.request().postDataJSON() as { wait_for?: string };
    asked.push(wait_for);
    const response = await route.fetch();
    const reply = (await response.json()) as ProposalReply;
    if (wait_for === 'longer') return route.fulfill({ response, json: reply });
    for (const options of Object.values(reply.data[date] ?? {}))
      for (const name of Object.keys(options)) if (name !== 'Option 1') delete options[name];
    return route.fulfill({ response, json: { ...reply, metadata: { ...reply.metadata, unfinished: [date] } } });
  });
  const calendar = new Calendar(page);
  await calendar.open(`?date=${date}&location=${at}&view=therapist`);
  await page.getByRole('button', { name: 'See options' }).click();
  const view = new OptionsModal(page);
  const heads = view.table.getByRole('columnheader');
  await expect(heads.filter({ hasText: /^Option \d/ })).toHaveCount(3);
  await expect(heads.nth(2)).toContainText('No more options found in time');
  await expect(heads.nth(3)).toHaveText('Option 3');
  const width = async (nth: number): Promise<number> => (await heads.nth(nth).boundingBox())?.width ?? 0;
  expect(await width(1)).toBeGreaterThan(4 * (await width(2)));
  for (const narrow of [2, 3]) expect(await width(narrow)).toBeLessThan(110);
  await expectAccessibleInBothThemes(page, 'options found in part');

  await view.modal.getByRole('button', { name: 'Look longer' }).click();
  await expect(view.modal.getByText('No more options found in time')).toHaveCount(0);
  await expect.poll(() => heads.nth(2).locator('dl').count()).toBe(1);
  expect(asked).toEqual([undefined, 'longer']);
  expect(await width(2)).toBeGreaterThan(150);
});
