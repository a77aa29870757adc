import { expect, test } from '../fixtures/test.ts';
import type { Page } from '@playwright/test';
import type { Client, Therapist } from '@clinic/contract';
import { signedIn } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { cards, modal } from '../pages/profiles.ts';
import { Api } from '../fixtures/api.ts';

const FIRST = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewiss';
const LAST = 'Featherstonehaughcholmondeleymarjoribanksbelvoirbeaulieuxxyz';

/**
 * Returns the elements that are wider than their part of the page or drawn outside it, each as its tag and
 * the start of its text.
 */
const tooWide = (page: Page, within: string): Promise<string[]> =>
  page.locator(within).evaluateAll((parts) =>
    parts.flatMap((part) =>
      [part, ...part.querySelectorAll('*')]
        .filter((e) => {
          const box = e.getBoundingClientRect();
          const outer = part.getBoundingClientRect();
          if (box.width === 0 || e.closest('.sr, svg, [class*="_sr_"]')) return false;
          return box.right > outer.right + 1 || box.left < outer.left - 1 || e.scrollWidth > outer.width + 1;
        })
        .map((e) => `${e.tagName}: ${e.textContent.slice(0, 24)}`),
    ),
  );

test('given first and last names of sixty letters, nothing is cut off or pushed out of view @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  // Works only on this test's own day, so that no other test meets this therapist.
  const date = await api.ownDay('long names');
  const only = { from_date: date, until_date: date };
  const week = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
    day_of_week: day,
    start_time: '08:00',
    end_time: '19:00',
    ...only,
  }));
  const person = { first_name: FIRST, last_name: LAST, location: 'deerfield', gender: 'Female' };
  const job = { specialization: 'RBT', start_date: '2025-02-03', availability: week };
  const { body: therapist } = await api.send<Therapist>('POST', '/therapists', { ...person, ...job });
  const { body: client } = await api.send<Client>('POST', '/clients', {
    ...person,
    first_name: LAST,
    last_name: FIRST,
    restrictions: [{ type: 'therapist', restriction: therapist.id }],
  });
  const booked = await api.send('POST', '/appointments', {
    location: 'deerfield',
    client: client.display_name,
    therapist: null,
    subject: 'Direct Therapy',
    date,
    start: '16:00',
    end: '19:00',
  });
  expect(booked.status).toBe(201);

  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=deerfield&date=${date}&find=${FIRST.slice(0, 8)}`);
  const name = calendar.grid.locator('[data-name]').first();
  await expect(name).toHaveAttribute('title', therapist.display_name);
  await name.click();
  await calendar.absencesButton.click();
  await expect(calendar.entry(therapist.display_name)).toBeVisible();
  expect(await tooWide(page, '[data-entry]')).toEqual([]);
  const remove = calendar.panel.getByRole('button', { name: /^Remove/ });
  expect(await remove.evaluate((e) => e.getBoundingClientRect().height)).toBeLessThan(30); // on one line
  await calendar.panel.getByRole('button', { name: 'Clear All Absences' }).click();
  await api.away(date, 'deerfield', [therapist.display_name]);
  await page.reload();
  await calendar.absencesButton.click();
  const stored = calendar.panel.getByRole('region', { name: 'Recorded for this day' });
  await expect(stored.getByRole('button', { name: /^Back at work/ })).toBeInViewport();

  await page.goto(`/?location=deerfield&date=${date}`);
  await expect(page.getByRole('region', { name: 'Who is away' }).getByRole('link').first()).toContainText(FIRST);
  expect(await tooWide(page, '[role="listitem"] > *, aside li, [aria-labelledby="away-title"] li')).toEqual([]);

  await calendar.open(`?location=deerfield&date=${date}&view=client&find=${LAST.slice(0, 8)}`);
  await calendar.grid.locator('[data-bar]').first().focus();
  await page.keyboard.press('Enter');
  const session = modal(page, /^Session with/);
  await expect(session).toBeVisible();
  expect(await tooWide(page, 'dialog[open] > header, dialog[open] > footer')).toEqual([]);
  await page.keyboard.press('Escape');

  for (const kind of ['Therapists', 'Clients'] as const) {
    await page.goto('/profiles');
    await page.getByRole('button', { name: kind, exact: true }).click();
    await page.getByPlaceholder(`Search ${kind.toLowerCase()}...`).fill(FIRST.slice(0, 12));
    await cards(page).getByRole('button').first().click();
    await expect(modal(page, new RegExp(FIRST))).toBeVisible();
    expect(await tooWide(page, 'dialog[open] dl > div, dialog[open] li')).toEqual([]);
  }
});
