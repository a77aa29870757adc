// This file is over 250 lines because it tests the main job step by step, from the absences to the workbook and back.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { CommitSummary, ProposalReply, SlotsReply, OfferedOptions, TimeslotDay } from '@clinic/contract';
import { readSheet } from 'read-excel-file/node';
import { duration } from '@clinic/domain';
import { expect, signIn, test } from '../fixtures/test.ts';
import { OptionsModal } from '../pages/options.ts';

/** The sessions of a day at Altamonte, the location that the page opens with. */
const slots = (page: Page, date: string): Promise<SlotsReply> =>
  call<SlotsReply>(page, `/slots?date=${date}&location=altamonte`);

async function call<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (url) => {
    const reply = await fetch(`/api${url}`, {
      headers: { Authorization: `Bearer ${localStorage.getItem('access_token')}` },
    });
    if (!reply.ok) throw new Error(`${url} returned ${reply.status}`);
    return (await reply.json()) as unknown;
  }, path) as Promise<T>;
}

/** Converts `M/D/YYYY, h:mm AM/PM` to minutes after midnight. */
function minutes(wire: string): number {
  const m = /, (\d+):(\d+) (AM|PM)$/.exec(wire);
  if (!m) throw new Error(`not a time: ${wire}`);
  return (Number(m[1]) % 12) * 60 + Number(m[2]) + (m[3] === 'PM' ? 720 : 0);
}

/**
 * Pairs of sessions that have the same therapist and overlap. Leaves out administrative time, which may be given up,
 * and sessions of the same group.
 */
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

/**
 * Finds people whose absence affects many sessions: the two therapists with the most direct sessions, and the busiest
 * client who sees neither of them.
 */
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

type Day = OfferedOptions[string];

/** Today's date at the clinic, by the server's clock. */
async function clinicDate(page: Page): Promise<string> {
  const { now } = await call<{ now: string }>(page, '/session');
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(now));
}

/** Marks people absent (therapists in Therapist View, the client in Client View) and saves. Returns the options. */
async function saveAbsences(
  page: Page,
  { therapists, client }: ReturnType<typeof whomToMiss>,
): Promise<OfferedOptions> {
  const mark = (name: string) =>
    page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  for (const name of therapists) await mark(name);
  await page.getByRole('button', { name: 'Client View' }).click();
  await mark(client);
  await page.getByRole('button', { name: /^Absences.*3/ }).click();
  const answered = page.waitForResponse((r) => r.url().endsWith('/api/api/scheduler/process'));
  const rest = page.waitForResponse((r) => r.url().endsWith('/api/proposals'), { timeout: 0 }).catch(() => null);
  await page.getByRole('button', { name: 'Save Absences' }).click();
  const { data, metadata } = (await (await answered).json()) as ProposalReply;
  if (!metadata.more) return data;
  const all = (await (await rest)?.json()) as ProposalReply | undefined;
  return all?.data ?? {};
}

/** Pins a client's Option 2 and refreshes; returns the new options of the date. */
async function pinAndRefresh(view: OptionsModal, client: string, date: string): Promise<Day> {
  await view.mode.click();
  await view.pick(client, 2).click();
  const refreshed = view.page.waitForResponse((r) => r.url().endsWith('/api/refresher'));
  await view.refresh.click();
  const asked = (await refreshed).request().postDataJSON() as { refreshSelections: unknown };
  expect(asked.refreshSelections).toEqual([{ date, client, option: 'Option 2' }]);
  const reply = (await (await refreshed).json()) as { output: { possible_solutions: OfferedOptions } };
  return reply.output.possible_solutions[date] ?? {};
}

const cellsOf = (options: Day[string] | undefined, option: string) =>
  Object.entries(options?.[option] ?? {}).map(([time, cell]) => [time, cell.therapist, cell.status]);

/** Every client's cells in Option 1. */
const chosenCells = (chosen: Day) =>
  Object.entries(chosen).flatMap(([client, options]) =>
    Object.entries(options['Option 1'] ?? {}).map(([time, cell]) => ({
      client,
      slot: time.replace(/ \(.*\)$/, ''),
      ...cell,
    })),
  );

/** The sessions of a day that match a cell. */
const sessionsLike = (day: SlotsReply, { client, slot, therapist, status }: ReturnType<typeof chosenCells>[number]) =>
  day.appointments.filter(
    (a) =>
      a['Client Name'] === client &&
      `${a.StartDateTime.split(', ')[1]} - ${a.EndDateTime.split(', ')[1]}` === slot &&
      (status === 'Cancel'
        ? /Cancelled/.test(a.Appointment_Status)
        : /Scheduled|Confirmed/.test(a.Appointment_Status) && a.Preferred_Provider_Name === therapist),
  );

const WORKBOOK_COLUMNS =
  'date, client, time, from therapist, to therapist, status, location, subject, appointment id, reason'.split(', ');

test('[ABS-05] [ABS-08] [SOL-09] [SOL-13] [SOL-14] [SOL-18] given two therapists and a client who are away, cover is found, committed, exported and undone', async ({
  page,
  watch,
}) => {
  watch.allow(/409.*withdraw/);
  await signIn(page);
  const view = new OptionsModal(page);
  const date = await clinicDate(page);
  const before = await slots(page, date);
  const away = whomToMiss(before);

  await test.step('the day has sessions and no double booking', () => {
    expect(before.appointments.length).toBeGreaterThan(40);
    expect(doubleBookings(before)).toEqual([]);
  });

  const proposed = await test.step('saving the absences opens at least two options', async () => {
    const data = (await saveAbsences(page, away))[date] ?? {};
    await expect(view.modal).toBeVisible();
    expect(Object.keys(data)).toContain(away.client);
    expect(new Set(Object.values(data).flatMap(Object.keys)).size).toBeGreaterThanOrEqual(2);
    return data;
  });

  const chosen = await test.step('a refresh keeps every pin in every option', async () => {
    const pinned = Object.keys(proposed).find((client) =>
      Object.values(proposed[client]?.['Option 2'] ?? {}).some((cell) => cell.status === 'Cover'),
    );
    if (!pinned) throw new Error('no client is covered in Option 2');
    const refreshed = await pinAndRefresh(view, pinned, date);
    const wanted = cellsOf(proposed[pinned], 'Option 2');
    for (const option of Object.keys(refreshed[pinned] ?? {}))
      expect(cellsOf(refreshed[pinned], option)).toEqual(wanted);
    return refreshed;
  });

  const workbook =
    await test.step('a commit downloads the workbook, reloads the page, and shows the same figures as the list of commits', async () => {
      const download = page.waitForEvent('download');
      const reloaded = page.waitForEvent('load');
      await expect(view.submit).toBeEnabled();
      const foot = await view.modal.getByText(/^Your mix keeps/).innerText();
      const changes = /, (\d+ changes?),/.exec(foot)?.[1] ?? '';
      expect(changes).not.toBe('');
      await view.submit.click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('schedule_actions.xlsx');
      await reloaded;
      await expect(page.getByRole('button', { name: 'Client View' })).toHaveAttribute('aria-pressed', 'true');
      await expect(view.modal).toBeHidden();
      await expect(page.getByRole('status').filter({ hasText: `${changes} submitted` })).toBeVisible();
      const [commit] = await call<CommitSummary[]>(page, `/commits?date=${date}&location=altamonte`);
      const kept = `${duration(commit?.minutes_kept ?? 0)} of ${duration(commit?.minutes_needed ?? 0)}`;
      expect(foot).toContain(`keeps ${kept}, ${commit?.changes} change`);
      return readFileSync(await file.path());
    });

  const after = await slots(page, date);
  await test.step('the calendar matches Option 1 for every client, without a double booking', () => {
    expect(doubleBookings(after)).toEqual([]);
    expect(chosenCells(chosen).length).toBeGreaterThan(3);
    for (const cell of chosenCells(chosen))
      expect(sessionsLike(after, cell), `${cell.client} ${cell.slot}: ${cell.therapist}, ${cell.status}`).toHaveLength(
        1,
      );
  });

  await test.step('the absent therapists have no direct session left', () => {
    for (const name of away.therapists) {
      const still = after.appointments.filter(
        (a) => a.Preferred_Provider_Name === name && a.service === 'direct' && !/Cancelled/.test(a.Appointment_Status),
      );
      expect(still, `${name} is away all day`).toEqual([]);
    }
  });

  await test.step('the workbook lists every change and the calls to make', async () => {
    const [head = [], ...rows] = (await readSheet(workbook, 'Actions')).map((row) =>
      row.map((cell) => String(cell ?? '')),
    );
    expect(head.map((name) => name.toLowerCase())).toEqual(WORKBOOK_COLUMNS);
    const [client, slot, status] = ['client', 'time', 'status'].map((name) => WORKBOOK_COLUMNS.indexOf(name));
    for (const cell of chosenCells(chosen).filter((each) => each.status !== 'Scheduled')) {
      const match = rows.filter(
        (row) =>
          row[client ?? -1] === cell.client && row[slot ?? -1] === cell.slot && row[status ?? -1] === cell.status,
      );
      expect(match.length, `${cell.client} ${cell.slot} ${cell.status} in the workbook`).toBeGreaterThanOrEqual(1);
    }
    expect((await readSheet(workbook, 'Calls to make')).length).toBeGreaterThan(1);
  });

  await test.step('“Back at work” asks for confirmation when it would undo submitted changes', async () => {
    const [back = ''] = away.therapists;
    await page.getByRole('button', { name: /^Absences/ }).click();
    const remove = page.getByRole('button', { name: `Back at work ${back}` });
    await remove.click();
    const question = page.getByRole('alertdialog', { name: `${back} is back. Give the sessions back?` });
    await expect(question).toContainText('in submitted changes. If you continue');
    await question.getByRole('button', { name: 'Not now' }).click();
    await expect(question).toBeHidden();
    expect((await slots(page, date)).appointments).toEqual(after.appointments);
    await remove.click();
    await question.getByRole('button', { name: /^Yes/ }).last().click();
    await expect(view.modal).toBeVisible();
    await expect(view.modal.getByText(back).first()).toBeVisible();
  });
});

test('[SLOT-02] a client’s week has seven days, with sessions that can be cancelled', async ({ page }) => {
  await signIn(page);
  const clients = await call<{ display_name: string }[]>(page, '/clients?location=altamonte');
  const name = clients[0]?.display_name ?? '';
  const today = await clinicDate(page);
  const week = await call<{ data: TimeslotDay[] }>(
    page,
    `/timeslots?client_name=${encodeURIComponent(name)}&location=altamonte&start_date=${today}`,
  );
  expect(week.data).toHaveLength(7);
  expect(week.data.some((d) => d.slots.length > 0)).toBe(true);
  for (const day of week.data) expect(day.ends).toHaveLength(day.slots.length);
});
