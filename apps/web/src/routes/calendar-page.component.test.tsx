// This file is over 250 lines because it holds what the calendar shows of a day, and every key that moves in its grid.
import { calendarEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../shared/api/query-client.ts';
import { MORNING, openCalendar, session, therapist } from '../testing/calendar.tsx';

const { slots } = calendarEndpoints;

/** The calendar of a made-up day, which shows what an ordinary day does not have. */
const day = (
  appointments: typeof MORNING.appointments,
  people: readonly string[] = [],
  absences: typeof MORNING.absences = [],
) => openCalendar({ appointments, absences, people: ['Ana Ruiz', ...people].map(therapist), availabilities: [] });

const theDate = () => page.getByRole('group', { name: 'Date' }).getByRole('button').nth(1);
const bars = (calendar: Awaited<ReturnType<typeof openCalendar>>['calendar']) => calendar.all('[data-bar]');
/** Moves the pointer away from the bars: the next test’s page would show a card under it. */
const aside = () => page.getByText('Click a name to mark absent').hover();
const dead = (status = 500) => new Response(JSON.stringify({ detail: 'no' }), { status });

test('[CAL-01] given the focus on a name, when the view is switched by key, the focus stays in the grid', async () => {
  const { calendar } = await openCalendar();
  calendar.all('[data-name]')[3]?.focus();
  await userEvent.keyboard('v');
  await expect.element(calendar.grid).toHaveAccessibleName(/^Clients, /);
  await expect.element(calendar.grid).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => calendar.grid.element().contains(document.activeElement)).toBe(true);
  expect(document.activeElement).not.toBe(calendar.grid.element());
});

test('[CAL-02] the Absences button shows how many people are selected', async () => {
  const { calendar } = await openCalendar();
  await expect.element(calendar.absencesButton).toHaveTextContent('Absences');
  for (const [name, text] of [
    ['Ana Ruiz', 'Absences1'],
    ['Kai Wood', 'Absences2'],
    ['Ana Ruiz', 'Absences1'],
  ] as const) {
    await calendar.name(name).click();
    await expect.element(calendar.absencesButton).toHaveTextContent(text);
  }
});

test('[CAL-03] the page opens on the server’s current date, with the date in full, and another date can be chosen by keyboard', async () => {
  await openCalendar();
  await expect.element(theDate()).toHaveTextContent('Wednesday, November 18, 2026');
  await theDate().click();
  const month = page.getByRole('dialog', { name: 'Choose a date' });
  await expect.element(month.getByRole('grid')).toBeVisible();
  await expect.element(month.getByRole('button', { name: 'Wednesday, November 18, 2026' })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.element(theDate()).toHaveTextContent('Thursday, November 19, 2026');
  await expect.element(month).not.toBeInTheDocument();
});

test('[CAL-04] there are five locations, Altamonte by default, and the chosen one is stored', async () => {
  await openCalendar();
  const select = page.getByRole('combobox', { name: 'Location' });
  await expect.element(select).toHaveValue('altamonte');
  const options = [...select.element().querySelectorAll('option')].map((o) => [o.value, o.textContent]);
  expect(options).toEqual([
    ['altamonte', 'Altamonte'],
    ['deerfield', 'Deerfield'],
    ['orlando', 'Orlando'],
    ['palm beach', 'Palm Beach'],
    ['tampa', 'Tampa'],
  ]);
  await select.selectOptions('orlando');
  await expect.poll(() => localStorage.getItem('selectedLocation')).toBe('orlando');
});

for (const [search, shown] of [
  ['', 'orlando'],
  ['?location=tampa', 'tampa'],
  ['?location=atlantis', 'orlando'],
] as const)
  test(`[CAL-04] given Orlando stored and the address “${search}”, the calendar shows ${shown}`, async () => {
    localStorage.setItem('selectedLocation', 'orlando');
    await openCalendar({}, { search });
    await expect.element(page.getByRole('combobox', { name: 'Location' })).toHaveValue(shown);
  });

test('[CAL-05] each person has a row of 48 columns from 7:00 AM to 6:45 PM', async () => {
  const { calendar } = await openCalendar();
  expect(calendar.names()).toEqual(['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean']);
  const heads = calendar.grid
    .getByRole('columnheader')
    .elements()
    .map((each) => each.textContent);
  expect(heads).toHaveLength(49);
  expect([heads[1], heads[2], heads[48]]).toEqual(['7:00 AM', '7:15 AM', '6:45 PM']);
});

test('[CAL-06] a click on a name marks the person absent and a second click undoes this, as the helper text says', async () => {
  const { calendar } = await openCalendar();
  await expect.element(page.getByText('Click a name to mark absent')).toBeVisible();
  const name = calendar.name('Ana Ruiz');
  await name.click();
  await expect.element(name).toHaveAttribute('aria-pressed', 'true');
  await expect.element(name).toMatchTextContent('all day');
  const open = (): number => calendar.row('Ana Ruiz').element().querySelectorAll('[data-kind="open"]').length;
  await expect.poll(open).toBe(2); // the bars follow in the next frame
  await name.click();
  await expect.element(name).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => calendar.all('[data-kind="open"]')).toEqual([]);
});

test('[CAL-07] availability is green, sessions of the administrative client are purple, all other sessions are blue', async () => {
  const { calendar } = await openCalendar();
  const ground = (selector: string): string => {
    const { backgroundColor, backgroundImage } = getComputedStyle(calendar.all(selector)[0]!);
    return `${backgroundColor} ${backgroundImage}`;
  };
  await expect.poll(() => calendar.all('[data-kind="admin"]').length).toBe(1);
  expect(ground('[data-available]')).toContain('rgb(215, 240, 222)');
  expect(ground('[data-kind="admin"]')).toContain('rgb(74, 29, 110)');
  expect(ground('[data-kind="booked"]')).toContain('rgb(42, 118, 204)');
});

test('[CAL-09] when a day cannot be loaded, a message says so, no other day stands in its place, and loading can be retried', async () => {
  const asked: URL[] = [];
  let reply: unknown = MORNING;
  const given = (url: URL): unknown => {
    asked.push(url);
    return reply;
  };
  const { calendar } = await openCalendar({}, { replies: [[slots, given]] });
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({ date: '2026-11-18', location: 'altamonte' });
  // What was loaded stays when the same day cannot be loaded again.
  reply = dead();
  await queryClient.invalidateQueries({ queryKey: ['slots'] });
  const alert = page.getByRole('alert');
  await expect.element(alert).toMatchTextContent('Failed to load schedule data. Please try again.');
  await expect.element(alert).toMatchTextContent(/Showing what was loaded at .*Marking people absent still works\./);
  await expect.element(calendar.name('Ana Ruiz')).toBeVisible();
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect.element(alert).toMatchTextContent('Failed to load schedule data. Please try again.');
  await expect.element(page.getByText('The day could not be loaded')).toBeVisible();
  await expect.element(calendar.name('Ana Ruiz')).not.toBeInTheDocument();
  reply = MORNING;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(calendar.name('Ana Ruiz')).toBeVisible();
});

test('a time when the location is closed is shown over its hours, and said with the grid', async () => {
  const { calendar } = await openCalendar({ closed: [{ start: '12:00', end: '24:00', name: 'Burst pipe' }] });
  await expect.element(calendar.grid).toHaveAccessibleName(/, closed from 12:00 PM to 12:00 AM: Burst pipe$/);
  const [band, hours] = [page.getByText('Closed: Burst pipe').element(), calendar.all('[role="columnheader"]')];
  const { left, right } = band.getBoundingClientRect();
  expect(left).toBeCloseTo(hours[1 + 20]?.getBoundingClientRect().left ?? 0, 0);
  expect(right).toBeCloseTo(hours.at(-1)?.getBoundingClientRect().right ?? 0, 0);
});

test('rows are filtered while typing; when none match, a button shows all rows again', async () => {
  const { calendar } = await openCalendar();
  await userEvent.keyboard('/');
  const box = page.getByRole('searchbox', { name: 'Find a name' });
  await expect.element(box).toHaveFocus();
  await box.fill('max dean');
  await expect.poll(() => calendar.names()).toEqual(['Max Dean']);
  await box.fill('nobody is called this');
  await expect.element(page.getByText(/^No one matches/)).toBeVisible();
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await expect.poll(() => calendar.names()).toHaveLength(4);
});

test('[CAL-08] the card shows client, therapist, status, location and subject on hover and on focus', async () => {
  const { calendar } = await day([session('1', 'Bo Lee', '8:30 AM', '11:30 AM', { Subject: 'Parent Training' })]);
  const card = page.getByRole('tooltip');
  const bar = calendar.grid.getByRole('button', { name: /^Bo Lee Parent Training, / });
  const told = async (): Promise<void> => {
    for (const text of [
      'Bo Lee',
      'Ana Ruiz, RBT',
      'Confirmed',
      'Altamonte',
      'Parent Training',
      '8:30 AM - 11:30 AM, 3 h',
    ])
      await expect.element(card).toMatchTextContent(text);
  };
  await bar.hover();
  await told();
  await aside();
  await expect.element(card).not.toBeInTheDocument();
  calendar.name('Ana Ruiz').element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(bar).toHaveFocus();
  await told();
  await expect.element(bar).toHaveAttribute('aria-describedby', card.element().id);
  await userEvent.keyboard('{Escape}');
  await expect.element(card).not.toBeInTheDocument();
  // When the window is resized, the card must not stay where the bar was.
  await bar.hover();
  await told();
  await page.viewport(1300, 700);
  await expect.element(card).not.toBeInTheDocument();
  await page.viewport(1440, 900);
  await aside();
});

test('a covered session’s bar is marked and names the absent therapist, whose own row keeps a pale bar', async () => {
  const covered = { Preferred_Provider_Name: 'Kai Wood', booked_with: 'Emily Thompson' };
  const { calendar } = await day(
    [session('1', 'Bo Lee', '8:30 AM', '11:30 AM', covered), session('2', 'Mo Diaz', '8:30 AM', '11:30 AM')],
    ['Kai Wood', 'Emily Thompson'],
    [{ id: 'e', name: 'Emily Thompson', type: 'therapist', startTime: '00:00', endTime: '23:59' }],
  );
  const cover = calendar.row('Kai Wood').getByRole('button', { name: 'Bo Lee for Emily Thompson, 8:30 AM - 11:30 AM' });
  await expect.element(cover.getByText('for Emily Thompson')).toBeVisible();
  const corner = (bar: Element): string => getComputedStyle(bar).backgroundImage;
  expect(corner(cover.element())).toContain('gradient');
  expect(corner(calendar.row('Ana Ruiz').element().querySelector('[data-bar]')!)).toBe('none');
  // A covered session's bar has no more elements than any other bar.
  expect(cover.element().querySelectorAll('*').length).toBe(2);
  await cover.hover();
  await expect.element(page.getByRole('tooltip')).toMatchTextContent('Covers forEmily Thompson');
  await aside();
  const trace = calendar
    .row('Emily Thompson')
    .getByRole('img', { name: 'Bo Lee, 8:30 AM - 11:30 AM, now with Kai Wood' });
  await expect.element(trace).toBeVisible();
  const at = (found: Element): number => found.getBoundingClientRect().x;
  expect(at(trace.element())).toBeCloseTo(at(cover.element()), 0);
});

test('[CAL-10] [CAL-11] [CAL-12] deleted sessions are hidden, duplicates are shown once, and sessions close together with the same Id are merged', async () => {
  const { calendar } = await day([
    session('1', 'Bo Lee', '8:00 AM', '9:00 AM'),
    session('1', 'Bo Lee', '8:00 AM', '9:00 AM'),
    session('1', 'Bo Lee', '9:15 AM', '10:00 AM'),
    session('1', 'Bo Lee', '1:00 PM', '2:00 PM'),
    session('', 'Mo Diaz', '3:00 PM', '4:00 PM'),
    session('', 'Mo Diaz', '3:00 PM', '4:00 PM'),
    session('2', 'Gone Child', '5:00 PM', '6:00 PM', { Appointment_Status: 'DELETED' }),
  ]);
  expect(bars(calendar).map((bar) => bar.getAttribute('aria-label'))).toEqual([
    'Bo Lee, 8:00 AM - 10:00 AM',
    'Bo Lee, 1:00 PM - 2:00 PM',
    'Mo Diaz, 3:00 PM - 4:00 PM',
  ]);
});

test('[CAL-13] [CAL-14] a session that starts from 8 minutes before to 7 minutes after a slot is drawn in that slot', async () => {
  const { calendar } = await day([
    session('1', 'A A', '8:52 AM', '9:30 AM'),
    session('2', 'B B', '9:53 AM', '10:30 AM'),
    session('3', 'C C', '11:37 AM', '12:00 PM'),
  ]);
  // The bars start in the columns for 8:45, 10:00 and 11:30; columns are 15 minutes wide, from 7:00 AM.
  expect(
    bars(calendar).map((bar) => ['--start', '--span'].map((name) => Number(bar.style.getPropertyValue(name)))),
  ).toEqual([
    [7, 3],
    [12, 2],
    [18, 2],
  ]);
});

test('overlapping bars are all visible, and a narrow bar keeps its full name for screen readers', async () => {
  const { calendar } = await day([
    session('1', 'Bo Lee', '8:00 AM', '11:00 AM'),
    session('2', 'Mo Diaz', '8:00 AM', '11:00 AM'),
    session('3', 'Jamal Longname-Smith', '9:00 AM', '9:15 AM'),
  ]);
  const boxes = bars(calendar).map((bar) => bar.getBoundingClientRect());
  expect(boxes).toHaveLength(3);
  for (const a of boxes)
    for (const b of boxes)
      if (a !== b) expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top).toBe(true);
  await expect
    .element(calendar.grid.getByRole('button', { name: 'Jamal Longname-Smith, 9:00 AM - 9:15 AM' }))
    .toBeVisible();
  for (const box of boxes) expect(box.height).toBeGreaterThanOrEqual(24);
});

test('the grid is a single tab stop; arrow keys, Home, End and Page keys move within it', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `Person ${i + 10}`);
  const { calendar } = await day(
    names.flatMap((name) => [
      session(`${name} a`, 'Bo Lee', '8:00 AM', '9:00 AM', { Preferred_Provider_Name: name }),
      session(`${name} b`, 'Mo Diaz', '9:00 AM', '10:00 AM', { Preferred_Provider_Name: name }),
    ]),
    names,
  );
  const stops = () => calendar.all('[tabindex="0"]').length;
  expect(stops()).toBe(1);
  const name = calendar.name('Person 10');
  name.element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(calendar.row('Person 10').getByRole('button', { name: /^Bo Lee/ })).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(calendar.row('Person 10').getByRole('button', { name: /^Mo Diaz/ })).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(name).toHaveFocus();
  expect(stops()).toBe(1);
  await userEvent.keyboard('{Control>}{End}{/Control}{Home}');
  await expect.element(calendar.name('Ana Ruiz')).toHaveFocus(); // without sessions, she comes last
  await userEvent.keyboard('{PageUp}');
  await expect.element(calendar.name('Person 20')).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(calendar.name('Person 20')).toHaveAttribute('aria-pressed', 'true');
});

test('given people without sessions, who come last, Up from them leads back to the same time of day', async () => {
  const by = { Preferred_Provider_Name: 'Lin Park' };
  const { calendar } = await day(
    [session('1', 'Mo Diaz', '8:00 AM', '9:00 AM', by), session('2', 'Ida Fox', '2:15 PM', '3:15 PM', by)],
    ['Lin Park', 'Max Dean'],
  );
  const afternoon = calendar.grid.getByRole('button', { name: 'Ida Fox, 2:15 PM - 3:15 PM' });
  afternoon.element().focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  await expect.element(calendar.name('Ana Ruiz')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(afternoon).toHaveFocus();
});
