import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SlotsReply, Solutions, TimeslotDay } from '@clinic/contract';
import { readSheet } from 'read-excel-file/node';
import { expect, signIn, test } from '../fixtures/test.ts';

/** The demo clinic's today, which the page opens on. */
const slots = (page: Page, date: string): Promise<SlotsReply> =>
  call<SlotsReply>(page, `/slots?date=${date}&location=altamonte`);

async function call<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (url) => {
    const reply = await fetch(`/api${url}`, {
      headers: { Authorization: `Bearer ${localStorage.getItem('access_token')}` },
    });
    if (!reply.ok) throw new Error(`${url} was answered ${reply.status}`);
    return (await reply.json()) as unknown;
  }, path) as Promise<T>;
}

/** Minutes after midnight of `M/D/YYYY, h:mm AM/PM`. */
function minutes(wire: string): number {
  const m = /, (\d+):(\d+) (AM|PM)$/.exec(wire);
  if (!m) throw new Error(`not a time: ${wire}`);
  return (Number(m[1]) % 12) * 60 + Number(m[2]) + (m[3] === 'PM' ? 720 : 0);
}

/** Pairs of sessions that one therapist would have at once. Administrative time may be given up, groups are one place. */
function doubleBookings(day: SlotsReply): string[] {
  const takes = day.appointments.filter(
    (a) =>
      a.service !== 'admin' &&
      !/cancelled|no show/i.test(a.Appointment_Status) &&
      a.Preferred_Provider_Name !== 'Unassigned',
  );
  return takes.flatMap((a, i) =>
    takes
      .slice(i + 1)
      .filter(
        (b) =>
          a.Preferred_Provider_Name === b.Preferred_Provider_Name &&
          !(a.group && a.group === b.group) &&
          minutes(a.StartDateTime) < minutes(b.EndDateTime) &&
          minutes(b.StartDateTime) < minutes(a.EndDateTime),
      )
      .map((b) => `${a.Preferred_Provider_Name}: ${a['Client Name']} and ${b['Client Name']}`),
  );
}

/** The therapists and the client whose absence hurts most: with the most direct sessions of their own. */
function whomToMiss(day: SlotsReply): { therapists: string[]; client: string } {
  const direct = day.appointments.filter(
    (a) => a.service === 'direct' && a.Appointment_Status === 'Scheduled' && !a.group && !a.needs_cover,
  );
  const count = (key: 'Preferred_Provider_Name' | 'Client Name') => {
    const found = new Map<string, number>();
    for (const a of direct) found.set(a[key], (found.get(a[key]) ?? 0) + 1);
    return [...found].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([name]) => name);
  };
  const therapists = count('Preferred_Provider_Name')
    .filter((n) => n !== 'Unassigned')
    .slice(0, 2);
  const client = count('Client Name').find((c) =>
    direct.every((a) => a['Client Name'] !== c || !therapists.includes(a.Preferred_Provider_Name)),
  );
  if (therapists.length < 2 || !client) throw new Error('the demo clinic is too empty');
  return { therapists, client };
}

test('[ABS-05] [ABS-08] [SOL-09] [SOL-13] [SOL-14] [SOL-18] two therapists and a client away: options, a pin, a refresh, submit, the workbook, and the calendar has changed', async ({
  page,
  watch,
}) => {
  watch.allow(/409.*withdraw/);
  await signIn(page);
  await expect(page.getByRole('button', { name: 'Therapist View' })).toBeVisible();
  const date = await page.evaluate(async () => {
    const reply = await fetch('/api/session', {
      headers: { Authorization: `Bearer ${localStorage.getItem('access_token')}` },
    });
    const { now } = (await reply.json()) as { now: string };
    return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(now));
  });
  const before = await slots(page, date);
  expect(before.appointments.length).toBeGreaterThan(40);
  expect(doubleBookings(before)).toEqual([]);
  const { therapists, client } = whomToMiss(before);

  for (const name of therapists)
    await page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  await page.getByRole('button', { name: 'Client View' }).click();
  await page
    .getByRole('button', { name: new RegExp(`^${client}`) })
    .first()
    .click();
  await page.getByRole('button', { name: /^Absences.*3/ }).click();
  const answered = page.waitForResponse((r) => r.url().endsWith('/api/api/scheduler/process'));
  await page.getByRole('button', { name: 'Save Absences' }).click();
  const proposal = (await (await answered).json()) as { data: Solutions };

  const modal = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: /^Schedule Solutions/ }) });
  await expect(modal).toBeVisible();
  const clients = Object.keys(proposal.data[date] ?? {});
  expect(clients).toContain(client);
  const options = new Set(clients.flatMap((c) => Object.keys(proposal.data[date]?.[c] ?? {})));
  expect(options.size).toBeGreaterThanOrEqual(2);

  // Pin Option 2 of the first client that somebody covers, and refresh.
  const pinned = clients.find((c) =>
    Object.values(proposal.data[date]?.[c]?.['Option 2'] ?? {}).some((cell) => cell.status === 'Cover'),
  );
  if (!pinned) throw new Error('no client is covered in Option 2');
  await modal
    .getByRole('switch')
    .or(modal.getByRole('radio', { name: 'Refresh Mode' }))
    .or(modal.getByRole('button', { name: 'Refresh Mode' }))
    .first()
    .click();
  const wanted = Object.entries(proposal.data[date]?.[pinned]?.['Option 2'] ?? {});
  const rows = modal
    .getByRole('rowgroup')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${pinned}`) }) });
  await rows.getByRole('row').first().getByRole('gridcell').nth(1).getByRole('button').first().click();
  const refreshed = page.waitForResponse((r) => r.url().endsWith('/api/refresher'));
  await modal.getByRole('button', { name: 'Refresh', exact: true }).click();
  const reply = (await (await refreshed).json()) as { output: { possible_solutions: Solutions } };
  const again = reply.output.possible_solutions[date]?.[pinned] ?? {};
  for (const option of Object.values(again)) {
    expect(Object.entries(option).map(([time, c]) => [time, c.therapist, c.status])).toEqual(
      wanted.map(([time, c]) => [time, c.therapist, c.status]),
    );
  }

  const download = page.waitForEvent('download');
  const reloaded = page.waitForEvent('load');
  const submit = modal.getByRole('button', { name: 'Submit', exact: true });
  await expect(submit).toBeEnabled();
  const mix = /, (\d+ changes?),/.exec(await modal.getByText(/^Your mix keeps/).innerText())?.[1] ?? '';
  expect(mix).not.toBe('');
  await submit.click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('schedule_actions.xlsx');
  await reloaded;
  await expect(page.getByRole('button', { name: 'Client View' })).toHaveAttribute('aria-pressed', 'true');
  await expect(modal).toBeHidden();
  await expect(page.getByRole('status').filter({ hasText: `${mix} submitted` })).toBeVisible();

  // The calendar now reads what Option 1 said, for every client.
  const after = await slots(page, date);
  expect(doubleBookings(after)).toEqual([]);
  const chosen = reply.output.possible_solutions[date] ?? {};
  let checked = 0;
  for (const [name, byOption] of Object.entries(chosen)) {
    for (const [time, cell] of Object.entries(byOption['Option 1'] ?? {})) {
      const slot = time.replace(/ \(.*\)$/, '');
      const status = cell.status === 'Cancel' ? /Cancelled/ : /Scheduled|Confirmed/;
      const found = after.appointments.filter(
        (a) =>
          a['Client Name'] === name &&
          `${a.StartDateTime.split(', ')[1]} - ${a.EndDateTime.split(', ')[1]}` === slot &&
          status.test(a.Appointment_Status) &&
          (cell.status === 'Cancel' || a.Preferred_Provider_Name === cell.therapist),
      );
      expect(found, `${name} ${time}: ${cell.therapist}, ${cell.status}`).toHaveLength(1);
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(3);
  for (const name of therapists) {
    const still = after.appointments.filter(
      (a) => a.Preferred_Provider_Name === name && a.service === 'direct' && !/Cancelled/.test(a.Appointment_Status),
    );
    expect(still, `${name} is away all day`).toEqual([]);
  }

  // The workbook holds the same, row by row.
  const path = await file.path();
  const actions = await readSheet(readFileSync(path), 'Actions');
  const head = (actions[0] ?? []).map((cell) => String(cell).toLowerCase());
  const column = (row: readonly unknown[], name: string): string => {
    const cell = row[head.indexOf(name.toLowerCase())];
    return typeof cell === 'string' ? cell : '';
  };
  expect(head).toEqual([
    'date',
    'client',
    'time',
    'from therapist',
    'to therapist',
    'status',
    'location',
    'subject',
    'appointment id',
    'reason',
  ]);
  for (const [name, byOption] of Object.entries(chosen)) {
    for (const [time, cell] of Object.entries(byOption['Option 1'] ?? {})) {
      if (cell.status === 'Scheduled') continue;
      const match = actions.filter(
        (row) =>
          column(row, 'Client') === name &&
          column(row, 'Time') === time.replace(/ \(.*\)$/, '') &&
          column(row, 'Status') === cell.status,
      );
      expect(match.length, `${name} ${time} ${cell.status} in the workbook`).toBeGreaterThanOrEqual(1);
    }
  }
  const calls = await readSheet(readFileSync(path), 'Calls to make');
  expect(calls.length).toBeGreaterThan(1);

  // One of the two comes after all: what others were told is not taken back unasked, and the options follow.
  const [back] = therapists;
  await page.getByRole('button', { name: /^Absences/ }).click();
  const withdraw = page.getByRole('button', { name: `Back at work ${back}` });
  await withdraw.click();
  const question = page.getByRole('alertdialog', { name: `Remove the absence of ${back}?` });
  await expect(question).toContainText('people were told');
  await question.getByRole('button', { name: 'Keep it' }).click();
  await expect(question).toBeHidden();
  expect((await slots(page, date)).appointments).toEqual(after.appointments);
  await withdraw.click();
  await question.getByRole('button', { name: 'Remove it and see options' }).click();
  await expect(modal).toBeVisible();
  await expect(modal.getByText(back ?? '').first()).toBeVisible();
});

test('[SLOT-02] the weeks around today hold sessions that can be cancelled', async ({ page }) => {
  await signIn(page);
  const clients = await call<{ display_name: string }[]>(page, '/clients?location=altamonte');
  const name = clients[0]?.display_name ?? '';
  const today = new Date().toISOString().slice(0, 10);
  const week = await call<{ data: TimeslotDay[] }>(
    page,
    `/timeslots?client_name=${encodeURIComponent(name)}&location=altamonte&start_date=${today}`,
  );
  expect(week.data).toHaveLength(7);
  expect(week.data.some((d) => d.slots.length > 0)).toBe(true);
  for (const day of week.data) expect(day.ends).toHaveLength(day.slots.length);
});
