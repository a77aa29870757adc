import type { Client, ProposalReply, Therapist } from '@clinic/contract';
import { addDays, dayOfWeek, shortDate, type IsoDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { OptionsModal } from '../pages/options.ts';

const AT = 'tampa';

/**
 * No therapist in the demo clinic has this skill, so only therapists that a test adds can take that test's sessions.
 */
const people = (api: Api, last_name: string, dates: readonly IsoDate[]) => {
  const skill = `Semaphore ${last_name}`;
  const person = { last_name, location: AT, gender: 'Female' };
  const job = { specialization: 'RBT', start_date: '2025-02-03', tags: [{ tag: skill }] };
  const availability = dates.map((date) => {
    const only = { day_of_week: dayOfWeek(date), from_date: date, until_date: date };
    return { ...only, start_time: '08:00', end_time: '17:00' };
  });
  return {
    therapist: async (first_name: string, more: object = {}): Promise<string> => {
      const made = { ...person, ...job, first_name, availability, ...more };
      return (await api.send<Therapist>('POST', '/therapists', made)).body.display_name;
    },
    client: async (first_name: string): Promise<string> => {
      const made = { ...person, first_name, needs: [{ tag: skill, must: true }] };
      return (await api.send<Client>('POST', '/clients', made)).body.display_name;
    },
    book: async (date: IsoDate, client: string, therapist: string, start: string, end: string): Promise<void> => {
      const session = { location: AT, date, start, end, subject: 'Direct Therapy', client, therapist };
      expect((await api.send('POST', '/appointments', session)).status).toBe(201);
    },
  };
};

const takerOf = ({ data }: ProposalReply, date: IsoDate, client: string, option: number): string =>
  Object.values(data[date]?.[client]?.[`Option ${option}`] ?? {})
    .map((cell) => cell.therapist)
    .join();

test('a mix that gives a therapist too many hours is marked and explained in hours, cannot be submitted, and is fixed with one click', async ({
  page,
  request,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const date = await api.ownDay('hours of a mix');
  const { therapist, client, book } = people(api, 'Mixhours', [date]);
  const [ana, eve] = [await therapist('Ana'), await therapist('Eve')];
  const takers = [await therapist('Kai', { week_hours: 2 }), await therapist('Lou', { week_hours: 2 })];
  const [bo, mo] = [await client('Bo'), await client('Mo')];
  await book(date, bo, ana, '09:00', '11:00');
  await book(date, mo, eve, '12:00', '14:00');
  await api.away(date, AT, [ana, eve]);

  await signedIn(page);
  const view = new OptionsModal(page);
  const shown = await view.open(date, AT);
  const both = takerOf(shown, date, bo, 1);
  expect(takers).toContain(both);
  const other = [2, 3].find((option) => takerOf(shown, date, mo, option) === both) ?? 0;
  expect(other).toBeGreaterThan(0);
  await view.pick(mo, other).click();

  const warning = view.modal.getByRole('alert');
  await expect(warning).toContainText(`${both} would have 4 h that week; the limit is 2 h.`);
  await expect(warning).toContainText(`Chosen: ${bo} (Option 1), ${mo} (Option ${other}).`);
  for (const name of [bo, mo]) await expect(view.rows(name).getByText('Too many hours')).toHaveCount(1);
  await expect(view.submit).toHaveAttribute('aria-disabled', 'true');
  await expect(view.submit).toHaveAccessibleDescription('1 problem to fix first');
  await expectAccessible(page, 'a mix with too many hours');

  await view.modal.getByRole('button', { name: 'Change these too' }).click();
  await expect(view.modal.getByText('Too many hours')).toHaveCount(0);
  // The button is gone, so the focus is in the table again.
  await expect(view.table.locator('[data-do="pick"]:focus')).toHaveCount(1);
  await expect(view.pick(mo, other)).toHaveAttribute('aria-pressed', 'true');
  await expect(view.pick(bo, 1)).toHaveAttribute('aria-pressed', 'false');
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
});

test('a mix of two dates that gives a therapist too many hours in the week is marked on both dates @detail', async ({
  page,
  request,
}) => {
  test.slow();
  const api = await Api.signIn(request);
  const first = await api.ownDay('hours of two dates');
  const second = addDays(first, 1);
  const { therapist, client, book } = people(api, 'Mixdates', [first, second]);
  const ana = await therapist('Ana');
  for (const name of ['Kai', 'Lou']) await therapist(name, { week_hours: 2 });
  const bo = await client('Bo');
  for (const date of [first, second]) {
    await book(date, bo, ana, '09:00', '11:00');
    await api.away(date, AT, [ana]);
  }
  const dates = { location: AT, dates: [first, second] };
  const both = (await api.send<ProposalReply>('POST', '/proposals', dates)).body;
  await page.route('**/api/proposals', (route) => route.fulfill({ json: both }));
  await signedIn(page);
  const view = new OptionsModal(page);
  await view.open(first, AT);
  const taker = takerOf(both, second, bo, 1);
  const other = [2, 3].find((option) => takerOf(both, first, bo, option) === taker) ?? 0;
  expect(other).toBeGreaterThan(0);
  await view.pick(bo, other).click();

  const warning = view.modal.getByRole('alert');
  await expect(warning).toContainText(`${taker} would have 4 h that week; the limit is 2 h.`);
  const chosen = [`${bo} (Option ${other} on ${shortDate(first)})`, `${bo} (Option 1 on ${shortDate(second)})`];
  await expect(warning).toContainText(`Chosen: ${chosen.join(', ')}.`);
  await expect(view.modal.getByText('Too many hours')).toHaveCount(1);
  await expect(view.submit).toHaveAccessibleDescription(`1 problem on ${shortDate(second)} to fix first`);
  await view.modal.getByRole('tab').nth(1).click();
  await expect(view.modal.getByText('Too many hours')).toHaveCount(1);
  await view.modal.getByRole('tab').nth(0).click();
  await view.pick(bo, 1).click();
  await expect(warning).toHaveCount(0);
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
});
