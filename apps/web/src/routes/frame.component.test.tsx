import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openCalendar } from '../testing/calendar.tsx';
import { openPage } from '../testing/pages.tsx';

const account = () => page.getByRole('button', { name: /account of/ });
const item = (name: string) => page.getByRole('menu').getByRole('menuitem', { name });

test('[ROUTE-06] the account menu contains the links that the sidebar lacks, and works by keyboard too', async () => {
  await openPage('/scheduler', { replies: [] });
  await account().findElement();
  account().element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item('Hours & authorizations')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(item('Reports')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(account()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await item('Hours & authorizations').click();
  await expect.poll(() => location.pathname).toMatch(/^\/ledgers\b/);
  const ledgers = page.getByRole('group', { name: 'Ledger' });
  await expect.element(ledgers).toBeVisible();
  expect(
    ledgers
      .getByRole('button')
      .elements()
      .map((each) => each.textContent),
  ).toEqual(['Hours', 'Care', 'Supervision', 'Authorizations']);
  await account().click();
  await expect
    .element(page.getByRole('menuitem', { name: /\(this page\)/ }))
    .toMatchTextContent(/^Hours & authorizations/);
});

for (const role of ['scheduler', 'admin'] as const)
  test(`[ROUTE-06] ${role === 'admin' ? 'an administrator' : 'a scheduler'} is ${role === 'admin' ? '' : 'not '}offered Accounts and Audit`, async () => {
    const who = { id: 'someone', email: 'a@clinic.example', name: 'Dana Reyes', role, locations: null };
    await openPage('/scheduler', { replies: [], session: { account: who } });
    await account().click();
    await expect.element(item('Reports')).toBeVisible();
    for (const name of ['Accounts', 'Who did what'])
      await expect.poll(() => item(name).elements().length).toBe(role === 'admin' ? 1 : 0);
  });

test('the ? key lists the shortcuts, and the shortcuts work', async () => {
  await openCalendar();
  await userEvent.keyboard('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(list).toMatchTextContent('Find anything');
  await expect.element(list).toMatchTextContent('See options for what needs cover');
  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  await userEvent.keyboard('gp');
  await expect.poll(() => location.pathname).toBe('/profiles');
  await expect.element(page.getByPlaceholder('Search therapists...')).toBeVisible();
  await userEvent.keyboard('gc');
  await expect.poll(() => location.pathname).toBe('/calendar');
});

test('from the calendar, visible words lead to the day’s calls and to the hours of therapists', async () => {
  const { screen } = await openCalendar();
  for (const [words, path] of [
    ['Calls', '/calls'],
    ['Hours', '/ledgers/hours'],
  ] as const) {
    const link = screen.getByRole('link', { name: words, exact: true });
    await expect.element(link).toBeVisible();
    expect(link.element().getAttribute('href')).toMatch(new RegExp(`^${path}\\?.*location=altamonte`));
  }
});
