import { calendarEndpoints, callsEndpoints, type CallLine, type CallsReply } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MORNING } from '../testing/calendar.tsx';
import { lineOf } from '../testing/call-line.ts';
import { openPage } from '../testing/pages.tsx';

const DATE = 'Wednesday, November 18, 2026';
let numbers = 5550100;
const contact = (name: string): CallLine['contacts'][number] => ({
  name,
  relation: 'Grandmother',
  phone: '(407) 555-0158',
  dial: `+1407${numbers++}`,
  email: 'someone.with.a.long.address@example.org',
  preferred: 'email',
  language: 'Spanish',
});
const ask = (id: string): CallLine => ({
  ...lineOf(id),
  kind: 'therapist',
  call: 'ask',
  name: `Isabel Bennett ${id}`,
  version: id,
  say: [
    `${DATE}: Can you take Clara Nguyen from 8:15 to 8:45?`,
    'Can you take Joaquín Rosario from 9:45 to 10:15?',
    'You have Axel Kim from 12:00 to 1:15.',
    'It takes 30 min of your admin time, 12:00 to 12:30, and 45 min from 3:00 to 3:45.',
  ],
  contacts: [contact(`Isabel Bennett ${id}`)],
});
const waiting = (id: string, after: string): CallLine => ({
  ...lineOf(id),
  name: `Axel Kim ${id}`,
  version: id,
  after: [{ id: after, name: `Isabel Bennett ${after}` }],
  say: [
    `${DATE}: Axel is with Isabel from 12:00 to 1:15 instead of Kayla.`,
    'We have nobody for Axel from 1:15 to 3:30; shall we cancel it, or may we ring again by 11:30?',
  ],
  say_es: ['Axel está con Isabel de 12:00 a 1:15 en lugar de Kayla.'],
  contacts: [contact('Concepción Kim-Featherstonehaugh')],
});
const LINES = ['1', '2', '3', '4'].flatMap((id) => [ask(id), waiting(`${id}a`, id), waiting(`${id}b`, id)]);
const LIST: CallsReply = {
  location: 'altamonte',
  date: '2026-11-18',
  now: '2026-11-18T07:05:00',
  sheet: null,
  open: true,
  next_ring: null,
  sending: { email: false, text: false, to_release: 0 },
  lines: LINES,
  told: [],
  declined: [],
};
const plans = LINES.filter(({ call }) => call === 'ask').map(({ kind, id, version }) => ({
  kind,
  id,
  version,
  found: true,
  words: 'else Jonathan Hamilton 10:00 to 11:00, new to Mason, then Jasmine Howard 11:00 to 11:30, new to Mason',
}));

async function open() {
  await page.viewport(1440, 900);
  const opened = await openPage('/calls?location=altamonte&date=2026-11-18', {
    replies: [
      [callsEndpoints.list, LIST],
      [callsEndpoints.planB, { plans }],
      [callsEndpoints.same, []],
      [callsEndpoints.later, []],
      [calendarEndpoints.slots, MORNING],
    ],
  });
  await expect.element(page.getByRole('button', { name: 'Family of Axel Kim 4b' })).toBeInTheDocument();
  return opened;
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-line]')];

test('given long words, several contacts and plan B, when the list is open at 1440 x 900, then ten people are whole in view', async () => {
  await open();
  await expect.element(page.getByText(/^else Jonathan Hamilton/).first()).toBeVisible();
  const heights = rows().map((row) => row.getBoundingClientRect().height);
  for (const [i, height] of heights.entries()) if (i > 0) expect(height, `row ${i}`).toBeLessThanOrEqual(64);
  const foot = document.querySelector('[role="region"][aria-label="People to tell"]')?.getBoundingClientRect().bottom;
  expect(rows().filter((row) => row.getBoundingClientRect().bottom <= (foot ?? 0)).length).toBeGreaterThanOrEqual(10);
  // A row that is chosen has all of its words, in both languages.
  await page.getByRole('button', { name: 'Family of Axel Kim 1a' }).click();
  await expect.element(page.getByText(/^We have nobody for Axel/).first()).toBeVisible();
  const [said] = document.querySelectorAll<HTMLElement>('[data-current] [lang="es"]');
  expect(said?.checkVisibility()).toBe(true);
  expect(said?.parentElement?.scrollHeight).toBe(said?.parentElement?.clientHeight);
});

test('on the calls, Find opens the palette, and Absences the panel of that day in the calendar', async () => {
  await open();
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect.element(page.getByRole('dialog', { name: 'Find' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Find' })).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Absences' }).click();
  await expect.poll(() => location.pathname).toBe('/calendar');
  await expect.element(page.getByRole('button', { name: /^Absences/ })).toHaveAttribute('aria-expanded', 'true');
  // The address no longer asks for the panel, so that a panel that was closed stays closed after a reload.
  await expect.poll(() => location.search).not.toContain('absences');
});

test('on the calls, the key a opens the absences too', async () => {
  await open();
  await userEvent.keyboard('a');
  await expect.element(page.getByRole('button', { name: /^Absences/ })).toHaveAttribute('aria-expanded', 'true');
});
