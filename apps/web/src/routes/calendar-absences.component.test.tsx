// This file is over 250 lines because it holds every state of the absences panel, from the click on a name to the reply.
import { absencesEndpoints, leaveEndpoints, REFUSALS, type ProposalReply, type SlotsReply } from '@clinic/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MORNING, openCalendar } from '../testing/calendar.tsx';
import type { Replies } from '../testing/components.tsx';

const { process } = absencesEndpoints;
const away = (name: string, startTime = '00:00', over: object = {}): SlotsReply['absences'][number] => ({
  id: 'a-1',
  name,
  type: 'therapist',
  startTime,
  endTime: '23:59',
  ...over,
});
/** Options for a day on which nothing needs cover. */
const NOTHING = { data: {}, metadata: {}, backed_up_therapists: {} } as unknown as ProposalReply;

/** The calendar with the panel open, and people selected. */
async function openPanel(people: readonly string[], day: Partial<SlotsReply> = {}, replies: Replies = []) {
  const opened = await openCalendar(day, { replies });
  for (const person of people) await opened.calendar.name(person).click();
  await opened.calendar.absencesButton.click();
  const { panel } = opened.calendar;
  return {
    ...opened,
    panel,
    save: panel.getByRole('button', { name: 'Save Absences' }),
    alert: panel.getByRole('alert'),
  };
}

test('[ABS-01] the panel shows a title, type, times in quarter hours, Remove, Clear All Absences and Save Absences', async () => {
  const { calendar } = await openCalendar();
  await calendar.name('Ana Ruiz').click();
  await page.getByRole('button', { name: 'Client View' }).click();
  await calendar.name('Bo Lee').click();
  await calendar.absencesButton.click();
  const { panel, entry } = calendar;
  await expect.element(panel.getByRole('heading', { name: 'Absences for Wednesday, November 18, 2026' })).toBeVisible();
  await expect.element(entry('Ana Ruiz')).toMatchTextContent('Therapist');
  await expect.element(entry('Bo Lee')).toMatchTextContent('Client');
  for (const label of ['From', 'To']) {
    const field = panel.getByRole('group', { name: 'Absence of Ana Ruiz' }).getByLabelText(label);
    await expect.element(field).toHaveAttribute('type', 'time');
    await expect.element(field).toHaveAttribute('step', '900');
  }
  await expect.element(panel.getByRole('button', { name: 'Save Absences' })).toBeVisible();
  await entry('Ana Ruiz').getByRole('button', { name: 'Remove Ana Ruiz' }).click();
  await expect.element(entry('Ana Ruiz')).not.toBeInTheDocument();
  await panel.getByRole('button', { name: 'Clear All Absences' }).click();
  await expect.element(panel).toMatchTextContent('No absences selected');
  await expect.element(calendar.absencesButton).toMatchTextContent(/^Absences$/);
});

test('[ABS-02] a new absence lasts all day, and times are rounded when their field loses the focus', async () => {
  const { calendar } = await openPanel(['Ana Ruiz']);
  const entry = calendar.entry('Ana Ruiz');
  const from = entry.getByLabelText('From', { exact: true });
  const to = entry.getByLabelText('To', { exact: true });
  await expect.element(from).toHaveValue('00:00');
  await expect.element(to).toHaveValue('23:59');
  await from.fill('07:08');
  await expect.element(from).toHaveValue('07:15');
  // A typed time is not rounded until the field loses the focus.
  to.element().focus();
  await userEvent.keyboard('1007AM');
  await expect.element(to).toHaveValue('10:07');
  await entry.getByRole('heading').click();
  await expect.element(to).toHaveValue('10:00');
  await expect.element(calendar.name('Ana Ruiz')).toMatchTextContent('7:15 - 10 AM');
  await entry.getByRole('button', { name: 'All day' }).click();
  await expect.element(from).toHaveValue('00:00');
  await expect.element(to).toHaveValue('23:59');
});

test('[ABS-03] a click outside the panel or Escape closes it, but clicks on names do not', async () => {
  const { calendar, panel } = await openPanel([]);
  await expect.element(panel).toMatchTextContent('No absences selected');
  await calendar.name('Ana Ruiz').click();
  await expect.element(calendar.entry('Ana Ruiz')).toBeVisible();
  await panel.getByLabelText('From', { exact: true }).click();
  await expect.element(panel).toBeVisible();
  await calendar.grid.getByRole('columnheader').nth(5).click({ force: true });
  await expect.element(panel).not.toBeInTheDocument();
  await calendar.absencesButton.click();
  await expect.element(panel).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(calendar.absencesButton).toHaveFocus();
  await calendar.absencesButton.click();
  await calendar.absencesButton.click();
  await expect.element(panel).not.toBeInTheDocument();
});

test('[ABS-04] saving with no one selected shows a message and sends nothing', async () => {
  const { calendar, requests, save, alert } = await openPanel([]);
  await save.click();
  await expect.element(alert).toMatchTextContent(/^No absences to save$/);
  expect(requests).toEqual([]);
  // The message disappears when someone is selected.
  await calendar.name('Ana Ruiz').click();
  await expect.element(alert).not.toBeInTheDocument();
});

test('[ABS-05] Save Absences posts the queries and shows Saving...; until the reply arrives, nothing closes the panel', async () => {
  let answer = (): void => undefined;
  const held = new Promise<Response>((resolve) => (answer = () => resolve(new Response('', { status: 500 }))));
  const { calendar, requests, panel, save, alert } = await openPanel(['Ana Ruiz'], {}, [[process, () => held]]);
  await calendar.entry('Ana Ruiz').getByLabelText('From', { exact: true }).fill('08:00');
  await calendar.entry('Ana Ruiz').getByLabelText('To', { exact: true }).fill('12:00');
  await save.click();
  await expect.poll(() => requests.length).toBe(1);
  await userEvent.keyboard('{Escape}a');
  await calendar.absencesButton.click();
  await calendar.grid.getByRole('columnheader').nth(5).click({ force: true });
  await expect.element(panel.getByRole('button', { name: 'Saving...' })).toBeVisible();
  const query = { type: 'therapist_cancel', therapist: 'Ana Ruiz', begin: '08:00', end: '12:00', replaces: true };
  const day = { date: '2026-11-18', location: 'altamonte' };
  expect(requests).toEqual([
    { path: '/api/scheduler/process', body: { ...day, queries: [{ ...query, ...day }], wait_for: 'first' } },
  ]);
  answer();
  await expect.element(alert).toMatchTextContent('Failed to save absences:');
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
});

const MAYBE = 'The absences may have been saved. Save again: nothing is saved twice.';
const html = (status: number) =>
  new Response('<!doctype html><form></form>', { status, headers: { 'Content-Type': 'text/html' } });

for (const [what, reply, ...says] of [
  ['a refusal', Response.json({ detail: 'No one' }, { status: 422 }), 'Failed to save absences: No one'],
  [
    'a busy solver',
    Response.json({ detail: REFUSALS['absences-saved-but-busy'].words() }, { status: 503 }),
    REFUSALS['absences-saved-but-busy'].words(),
  ],
  ['a gateway’s page', html(502), 'Failed to save absences: Server error: 502. ', MAYBE],
  ['a portal’s page', html(511), 'Failed to save absences: ', MAYBE],
  ['no reply', null, 'Failed to save absences: The server did not reply. ', MAYBE],
  ['another reply', { status: 'ok' }, 'Failed to save absences: The server’s reply could not be read. ', MAYBE],
  ['a login page', html(200), 'Failed to save absences: ', MAYBE],
  ['null', Response.json(null), 'Failed to save absences: ', MAYBE],
  ['broken JSON', new Response('{"data":[{"id'), 'Failed to save absences: ', MAYBE],
  ['nothing (204)', new Response(null, { status: 204 }), 'Failed to save absences: ', MAYBE],
] as const)
  test(`[ABS-06] [ABS-07] given ${what} to a save, the panel says so and keeps what was entered`, async () => {
    const { calendar, save, alert } = await openPanel(['Ana Ruiz'], {}, [[process, reply]]);
    await save.click();
    for (const text of says) await expect.element(alert).toMatchTextContent(text);
    expect(alert.element().textContent).not.toMatch(
      /Unexpected|Failed to fetch|TypeError|undefined|not valid JSON|<form/,
    );
    await expect.element(calendar.entry('Ana Ruiz')).toBeVisible();
    await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  });

test('[ABS-06] without a connection, the panel says that nothing was saved', async () => {
  const { calendar, save, alert } = await openPanel(['Ana Ruiz'], {}, [[process, null]]);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => online.mockRestore());
  await save.click();
  await expect
    .element(alert)
    .toHaveTextContent('Failed to save absences: Not saved: there is no connection. They are kept here.');
  await expect.element(calendar.entry('Ana Ruiz')).toBeVisible();
});

test('[ABS-07] given absences that affect nothing, the page shows “No scheduling changes needed”', async () => {
  const { calendar, save } = await openPanel(['Max Dean'], {}, [[process, NOTHING]]);
  await save.click();
  const said = page.getByRole('alertdialog', { name: 'No scheduling changes needed' });
  await expect.element(said).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(said).not.toBeInTheDocument();
  await expect.element(calendar.absencesButton).toMatchTextContent(/^Absences$/);
});

test('[ABS-09] given an end time that is not after the start time, a message beside the field says so, and nothing is sent', async () => {
  const { calendar, requests, save } = await openPanel(['Ana Ruiz']);
  const to = calendar.entry('Ana Ruiz').getByLabelText('To', { exact: true });
  await calendar.entry('Ana Ruiz').getByLabelText('From', { exact: true }).fill('10:00');
  await to.fill('09:00');
  await expect.element(to).toHaveAccessibleDescription('Must be after 10:00 AM');
  await expect.element(to).toHaveAttribute('aria-invalid', 'true');
  await save.click();
  await expect.element(to).toHaveFocus();
  expect(requests).toEqual([]);
});

test('[ABS-01] Clear All Absences empties the list, and a message says that recorded absences stay', async () => {
  const { panel } = await openPanel(['Kai Wood'], { absences: [away('Ana Ruiz')] });
  const clear = panel.getByRole('button', { name: 'Clear All Absences' });
  await expect.element(clear).toHaveAccessibleDescription(/Absences already recorded stay/);
  await clear.click();
  await expect.element(panel).toMatchTextContent('No absences selected');
  await expect.element(panel.getByRole('region', { name: 'Recorded for this day' })).toMatchTextContent('Ana Ruiz');
  await expect.element(clear).toHaveAttribute('aria-disabled', 'true');
});

test('the absence of someone who has left the clinic is shown but cannot be changed or removed', async () => {
  const people = MORNING.people.map((each) => (each.name === 'Ana Ruiz' ? { ...each, former: true } : each));
  const { panel } = await openPanel([], { people, absences: [away('Ana Ruiz', '08:00', { former: true })] });
  const stored = panel.getByRole('region', { name: 'Recorded for this day' });
  const line = stored.getByRole('listitem').filter({ hasText: 'Ana Ruiz' });
  await expect.element(line).toMatchTextContent('no longer with the clinic');
  expect(line.getByRole('button').elements()).toEqual([]);
});

test('while an absence’s times are edited, the panel shows how many sessions and how much care the absence affects', async () => {
  const { calendar, panel } = await openPanel(['Ana Ruiz']);
  const tally = () => [...panel.element().querySelectorAll('dl dd')].map((each) => each.textContent);
  await expect.poll(() => tally()[1]).toBe('4 h');
  await calendar.entry('Ana Ruiz').getByLabelText('To', { exact: true }).fill('07:00');
  await expect.poll(() => tally()[1]).toBe('0 min');
  await expect.element(calendar.entry('Ana Ruiz')).toMatchTextContent('No sessions then');
  await calendar.entry('Ana Ruiz').getByRole('button', { name: 'All day' }).click();
  await expect.poll(() => tally()[1]).toBe('4 h');
});

test('given a therapist who is away on later dates too, the message after saving leads to who takes the sessions', async () => {
  const leave = { id: 'L-1', name: 'Ana Ruiz', type: 'therapist', first_date: '2026-11-18' };
  const { calendar, save } = await openPanel(['Ana Ruiz'], {}, [
    [process, NOTHING],
    [leaveEndpoints.listLeave, [{ ...leave, id: 'L-0', first_date: '2026-11-02' }, leave]],
  ]);
  await calendar.entry('Ana Ruiz').getByText('Until further notice').click();
  await save.click();
  await page.getByRole('button', { name: 'Who takes the sessions?' }).click();
  await expect.poll(() => location.pathname).toBe('/leave/L-1');
});
