// This file is over 250 lines because it tests every way in which someone can say no.
import type { CallLine, CallsReply, ChoicesReply, ProposalReply } from '@clinic/contract';
import { addDays, parseTimeOfDay, parseTime, type IsoDate, type Location } from '@clinic/domain';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Api } from '../fixtures/api.ts';
import { OptionsModal } from '../pages/options.ts';

test.use({ serverFor: 'said-no' });

const lines = (page: Page) => page.getByRole('list', { name: 'Calls to make' }).locator('> li');
const row = (page: Page, name: string) => lines(page).filter({ has: page.getByRole('button', { name, exact: true }) });

/** Makes two therapists absent `after` days after today, commits cover for them, and opens the call list. */
async function calls(page: Page, api: Api, at: Location, after = 0): Promise<{ today: IsoDate; list: CallsReply }> {
  const today = addDays(await api.today(), after);
  await api.commit(await api.callOut(today, at, 2));
  await signedIn(page);
  await page.goto(`/calls?location=${encodeURIComponent(at)}&date=${today}`);
  await expect(lines(page).first()).toBeVisible();
  return { today, list: await api.get<CallsReply>(`/calls?location=${encodeURIComponent(at)}&date=${today}`) };
}

/** The first line of a therapist who has a new session. */
function asked({ lines: open }: CallsReply): CallLine {
  const line = open.find((each) => each.kind === 'therapist' && each.sessions.length > 0);
  if (!line) throw new Error('no therapist to tell');
  return line;
}

/** The first line that asks a therapist to take a session that someone else could take too. */
async function firstWithOther(api: Api, { today, list }: { today: IsoDate; list: CallsReply }, location: Location) {
  for (const line of list.lines) {
    const [session] = line.call === 'ask' ? line.sessions : [];
    if (!session) continue;
    const day = { location, date: today, key: session.key };
    const { body } = await api.send<ChoicesReply>('POST', '/sessions/choices', day);
    if (body.choices.some((choice) => choice.possible)) return { line, session };
  }
  throw new Error('no one else could take any of the sessions');
}

const therapistsIn = (reply: ProposalReply, date: string): string[] =>
  Object.values(reply.data[date] ?? {}).flatMap((options) =>
    Object.values(options).flatMap((slots) => Object.values(slots).map((cell) => cell.therapist)),
  );

test('given a therapist who says no, one key opens new options without that therapist', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { today, list } = await calls(page, api, 'tampa');
  const line = asked(list);
  await row(page, line.name).getByRole('button', { name: line.name, exact: true }).focus();
  await page.keyboard.press('4');
  const scope = page.getByRole('group', { name: `${line.name} said no` });
  await expect(scope.getByRole('button').first()).toBeFocused();
  await expectAccessible(page, 'how far a no reaches');
  await page.keyboard.press('Escape');
  await expect(scope).toBeHidden();
  await expect(row(page, line.name).getByRole('button', { name: line.name, exact: true })).toBeFocused();
  await page.keyboard.press('4');
  await page.keyboard.press('t');
  const declined = page.getByRole('region', { name: 'Said no' });
  await expect(declined).toContainText(line.name);
  await expect(declined).toContainText(/no other session today, said no at \d/);
  await expect(row(page, line.name)).toContainText('said no');
  await expectAccessible(page, 'call list after a no');

  const proposed = page.waitForResponse((reply) => reply.url().endsWith('/api/proposals'));
  await page.keyboard.press('o');
  const reply = (await (await proposed).json()) as ProposalReply;
  await new OptionsModal(page).table.waitFor();
  const client = line.sessions[0]?.with?.name ?? '';
  expect(Object.keys(reply.data[today] ?? {})).toContain(client);
  expect(therapistsIn(reply, today)).not.toContain(line.name);
  // Sessions that change again after the commit are marked with an icon and in words, and the focus starts on the first
  // one.
  const cells = Object.values(reply.data[today]?.[client] ?? {}).flatMap((slots) => Object.values(slots));
  expect(cells.some((cell) => cell.again === true && cell.from === line.name)).toBe(true);
  const view = new OptionsModal(page);
  await expect(view.table.getByText(`changed again: was ${line.name}`).first()).toBeAttached();
  await expect(view.modal.getByText(/already submitted would change again\. This icon marks/)).toBeVisible();
  await expect(view.table.locator('tr:has([data-again]) [aria-pressed="true"]').first()).toBeFocused();
  await expectAccessible(page, 'options after a no');
});

test('when a therapist’s no is taken back, the therapist may be asked again @detail', async ({ page, request }) => {
  const api = await Api.signIn(request);
  const { list } = await calls(page, api, 'orlando');
  const line = asked(list);
  await row(page, line.name).getByRole('button', { name: line.name, exact: true }).focus();
  await page.keyboard.press('4');
  await page.keyboard.press('s');
  const declined = page.getByRole('region', { name: 'Said no' });
  await declined.getByRole('button', { name: `Take back “Said no” for ${line.name}` }).click();
  await expect(page.getByText(`${line.name} may be asked again`)).toBeVisible();
  await expect(declined).toBeHidden();
  // The button is gone, so the focus is on the part of the page that held it.
  await expect(page.getByRole('region', { name: 'Call details' })).toBeFocused();
});

test('when a therapist says no to everything until a given time, they are away until then, and new options leave them out @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { today, list } = await calls(page, api, 'orlando', 9);
  const line = asked(list);
  const [session] = line.sessions;
  await row(page, line.name).getByRole('button', { name: line.name, exact: true }).focus();
  await page.keyboard.press('4');
  await page.keyboard.press('u');
  const until = page.getByLabel(`Away until: ${line.name}`);
  await expect(until).toBeFocused();
  await until.fill(session?.end ?? '');
  await expectAccessible(page, 'a no until a time');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Said no' })).toContainText(
    new RegExp(`${line.name}.*away until \\d+:\\d\\d, said no at`, 's'),
  );
  const { absences } = await api.slots(today, 'orlando');
  expect(absences.map((each) => each.name)).toContain(line.name);
  const proposed = page.waitForResponse((reply) => reply.url().endsWith('/api/proposals'));
  await page.keyboard.press('o');
  const reply = (await (await proposed).json()) as ProposalReply;
  const client = session?.with?.name ?? '';
  const cells = Object.values(reply.data[today]?.[client] ?? {}).flatMap((slots) => Object.entries(slots));
  expect(cells.length).toBeGreaterThan(0);
  // The therapist may still cover sessions that begin at another time of the day.
  const meanwhile = { start: parseTime(session?.start ?? '') ?? 0, end: parseTime(session?.end ?? '') ?? 0 };
  const begins = (slot: string): number => parseTimeOfDay(slot.split(' - ')[0] ?? '') ?? 0;
  const theirs = cells.filter(([slot]) => begins(slot) >= meanwhile.start && begins(slot) < meanwhile.end);
  expect(theirs.length).toBeGreaterThan(0);
  expect(theirs.map(([, cell]) => cell.therapist)).not.toContain(line.name);
});

test('given a family that refuses a therapist, the child’s profile gets a restriction, and the family’s line in the call list waits for a new plan', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { today, list } = await calls(page, api, 'palm beach');
  const line = list.lines.find((each) => each.kind === 'client' && each.sessions[0]?.with);
  const therapist = line?.sessions[0]?.with;
  if (!line || !therapist) throw new Error('no family to tell');
  const name = `Family of ${line.name}`;
  await row(page, name).getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('4');
  const scope = page.getByRole('group', { name: `${name} said no` });
  await expect(scope.getByRole('button', { name: /^c?Rather cancel \d/ }).first()).toBeVisible();
  await page.keyboard.press('k');
  await expect(row(page, name)).toContainText(`${therapist.name} was refused by the family at`);
  const profile = await api.get<{ restrictions: { type: string; restriction: string }[] }>(`/clients/${line.id}`);
  expect(profile.restrictions).toContainEqual({ type: 'therapist', restriction: therapist.id });

  // The family may also say no by cancelling a session. The cancellation then has the family’s reason as its cause.
  const [session] = line.sessions;
  await page.keyboard.press('4');
  await page.keyboard.press('c');
  await expect(page.getByText(/^Family of .*: the session \d.* is cancelled$/)).toBeVisible();
  const { appointments } = await api.slots(today, 'palm beach');
  expect(appointments.find(({ key }) => key === session?.key)).toMatchObject({
    Appointment_Status: 'Cancelled',
    loss: { cause: 'family-reason', lost_by: 'family' },
  });

  // A commit cannot be undone once one of its sessions is cancelled. Today says so beside the Undo button.
  await page.goto('/?location=palm+beach');
  const undo = page.getByRole('button', { name: /^Undo the .* changes$/ });
  await expect(undo).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText(/^Cannot be undone: .* has changed since these changes were submitted/)).toBeVisible();
  await expectAccessible(page, 'Today with an undo that would be refused');
});

test('after the first call, two ways to plan the day are shown side by side, each with its calls, and one key switches between them @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  const { today, list } = await calls(page, api, 'deerfield');
  const [first] = list.lines;
  if (!first) throw new Error('no one to tell');
  await page.keyboard.press('1');
  await expect(lines(page)).toHaveCount(list.lines.length - 1);
  const second = asked(await api.get<CallsReply>(`/calls?location=deerfield&date=${today}`));
  await row(page, second.name).getByRole('button', { name: second.name, exact: true }).focus();
  await page.keyboard.press('4');
  await page.keyboard.press('s');
  await expect(page.getByRole('region', { name: 'Said no' })).toContainText(second.name);
  await page.keyboard.press('o');
  const view = new OptionsModal(page);
  await view.table.waitFor();
  const keep = view.modal.getByRole('button', { name: 'Keep what people were told' });
  const anew = view.modal.getByRole('button', { name: 'Find new options for everyone' });
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await expect(view.modal).toContainText('1 person was told');
  await expectAccessible(page, 'options that keep what people were told');
  // Each way to plan the day shows how many people must still be told, in the same words as the call list.
  const ways = view.modal.getByRole('group', { name: 'After the first call' });
  const counted = (label: string) => ways.getByRole('region', { name: `${label}: calls` }).getByText(/ to tell$/);
  await expect(counted('Keep what people were told')).toBeVisible();
  await expect(counted('Find new options for everyone')).toBeVisible();
  const shown = await counted('Find new options for everyone').textContent();
  let solved = 0;
  page.on('request', (sent) => (solved += sent.url().endsWith('/api/proposals') ? 1 : 0));
  await anew.focus();
  await page.keyboard.press('Enter');
  await expect(anew).toHaveAttribute('aria-pressed', 'true');
  await expect(counted('Find new options for everyone')).toHaveText(shown ?? '');
  await expect(view.table).toBeVisible();
  expect(solved).toBe(0);

  // After the commit, the call list has as many lines as the chosen way showed.
  const people = /^\d+/.exec(shown ?? '')?.[0] ?? '0';
  const reloaded = page.waitForEvent('load');
  await view.submit.click();
  await reloaded;
  const after = await api.get<CallsReply>(`/calls?location=deerfield&date=${today}`);
  expect(after.lines).toHaveLength(Number(people));
});

test('every line with a request shows plan B before the call, and the list does not wait for plan B @detail', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/calls/plan-b?*', async (route) => {
    await held;
    await route.continue();
  });
  const day = await calls(page, api, 'altamonte');
  const { list } = day;
  const asks = list.lines.filter((line) => line.call === 'ask');
  expect(asks.length).toBeGreaterThan(0);
  await expect(lines(page)).toHaveCount(list.lines.length);
  await expect(lines(page).filter({ hasText: /(^|[^a-z])(else [A-Z]|else no one |no plan B: )/ })).toHaveCount(0);
  release();
  await expect(lines(page).filter({ hasText: /else [A-Z]|else no one |no plan B: / })).toHaveCount(asks.length);
  await expectAccessible(page, 'call list with plan B');

  // With the keyboard, the coordinator chooses someone else for the session. The options open with that therapist
  // pinned and the rest solved again.
  const { line, session } = await firstWithOther(api, day, 'altamonte');
  await row(page, line.name).getByRole('button', { name: line.name, exact: true }).focus();
  await page.keyboard.press('e');
  const other = page.getByRole('group', { name: `Someone else: ${line.name}` });
  const able = other.getByRole('list', { name: 'Who else could take it' }).getByRole('button');
  await expect(able.first()).toContainText(/free|would leave|would move/);
  await expect(able.first()).toContainText(/[\d.]+ of [\d.]+ h this week/);
  await expectAccessible(page, 'someone else in the call list');
  const name = (await able.first().locator('b').textContent()) ?? '';
  await able.first().focus();
  const proposed = page.waitForResponse((reply) => reply.url().endsWith('/api/proposals'));
  await page.keyboard.press('Enter');
  const reply = (await (await proposed).json()) as ProposalReply;
  const view = new OptionsModal(page);
  await view.table.waitFor();
  expect(reply.metadata.chosen?.client).toContain(session.with?.name ?? 'no client');
  const cells = Object.values(Object.values(reply.data)[0]?.[reply.metadata.chosen?.client ?? ''] ?? {});
  for (const slots of cells) expect(Object.values(slots).map((cell) => cell.therapist)).toContain(name);
  await expect(view.table.getByText(', kept as you chose').first()).toBeAttached();
  expect(new URL(page.url()).searchParams.has('therapist')).toBe(false);
});
