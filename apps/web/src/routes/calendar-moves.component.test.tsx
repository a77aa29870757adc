// This file is over 250 lines because it tries everything that a hand does to a session, with the pointer and by keys.
import {
  appointmentsEndpoints,
  closuresEndpoints,
  ledgersEndpoints,
  proposalsEndpoints,
  type Closure,
  type SlotsReply,
} from '@clinic/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MORNING, openCalendar, session } from '../testing/calendar.tsx';
import type { Replies } from '../testing/components.tsx';

const ID = '00000000-0000-4000-8000-00000000000';
/** The ordinary morning, with keys, so that its sessions can be moved. */
const APPOINTMENTS = MORNING.appointments.map((each, i) => ({ ...each, key: `${ID}${i}`, version: 1 }));
const ALONE = { dates: [], apart: 0 };

async function open({
  search = '',
  day = {},
  replies = [],
  closures = [],
}: { search?: string; day?: Partial<SlotsReply>; replies?: Replies; closures?: Partial<Closure>[] } = {}) {
  const opened = await openCalendar(
    { appointments: APPOINTMENTS, ...day },
    {
      search,
      replies: [
        ...replies,
        [appointmentsEndpoints.series, ALONE],
        [
          appointmentsEndpoints.update,
          () => Response.json({ ...session('1', 'Bo Lee', '8:15 AM', '10:15 AM'), version: 2 }),
        ],
        [closuresEndpoints.listClosures, closures],
        [ledgersEndpoints.hours, { rows: [], off: [], from: '2026-11-16', to: '2026-11-22' }],
      ],
    },
  );
  // The hands load after the grid is painted.
  await expect.poll(() => document.querySelector('[data-calendar]')?.hasAttribute('data-hands')).toBe(true);
  return opened;
}

const bar = (name: RegExp) => page.getByRole('grid').getByRole('button', { name }).first();
const focus = (name: RegExp): void => {
  const element = bar(name).element();
  if (element instanceof HTMLElement) element.focus();
};
const note = () => document.querySelector('[data-calendar] > [aria-hidden="true"][data-refused]')?.textContent ?? '';
const said = () => page.getByRole('status');

/** Drags with the mouse, in px. */
function drag(
  from: { x: number; y: number },
  to: { x: number; y: number },
  { drop = true, by = 'mouse', rest = () => {} } = {},
): void {
  const target = document.elementFromPoint(from.x, from.y);
  const send = (type: string, { x, y }: { x: number; y: number }): void =>
    void target?.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        cancelable: true,
        clientX: x,
        clientY: y,
        pointerType: by,
        button: 0,
      }),
    );
  send('pointerdown', from);
  rest();
  send('pointermove', { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
  send('pointermove', to);
  if (drop) send('pointerup', to);
}

const middle = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};
const hour = (): number => (document.querySelector('[role="gridcell"]')?.getBoundingClientRect().width ?? 0) / 12;

test('a session dragged to free time is saved there, and Ctrl+Z moves it back', async () => {
  const { requests } = await open();
  const from = middle(bar(/^Bo Lee.*8:00 AM/).element());
  drag(from, { x: from.x + hour() / 2, y: from.y });
  await expect.element(page.getByText('Bo Lee: Wed, Nov 18, 8:30 AM - 10:30 AM.')).toBeVisible();
  expect(requests).toMatchObject([
    {
      path: `/appointments/${ID}0`,
      body: { start: '08:30', end: '10:30', therapist: 'Ana Ruiz', version: 1, scope: 'one' },
    },
  ]);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('Bo Lee is back at Wed, Nov 18, 8:00 AM - 10:00 AM.')).toBeVisible();
  expect(requests[1]?.body).toMatchObject({ start: '08:00', end: '10:00', version: 2, anyway: true });
});

test('a session dragged to another therapist’s row gets that therapist', async () => {
  const { requests, calendar } = await open();
  const from = middle(bar(/^Bo Lee.*8:00 AM/).element());
  drag(from, { x: from.x, y: middle(calendar.row('Max Dean').element()).y });
  await expect.element(page.getByText(/with Max Dean\./)).toBeVisible();
  expect(requests[0]?.body).toMatchObject({ start: '08:00', end: '10:00', therapist: 'Max Dean' });
});

test('before it is let go, what is in the way is named; let go there, it goes back and nothing is sent', async () => {
  const { requests, calendar } = await open();
  const from = middle(bar(/^Mo Diaz/).element());
  const to = { x: from.x - 4 * hour(), y: middle(calendar.row('Lin Park').element()).y };
  drag(from, to, { drop: false });
  expect(note()).toBe('Lin Park is with Zoe Hall from 9:00 AM2 h fit here from 7:00 AM.');
  window.dispatchEvent(new PointerEvent('pointerup', { clientX: to.x, clientY: to.y }));
  await expect
    .element(said().getByText(/Lin Park is with Zoe Hall from 9:00 AM\. Nothing was changed\./))
    .toBeInTheDocument();
  expect(requests).toEqual([]);
});

test('a time in which the location is closed says so before the drop', async () => {
  const from_to = { from_date: '2026-11-18', from_time: '12:00', to_date: '2026-11-18', to_time: '24:00' };
  await open({ closures: [{ location: 'altamonte', name: 'Water damage', ...from_to }] });
  const from = middle(bar(/^Bo Lee.*8:00 AM/).element());
  drag(from, { x: from.x + 4 * hour(), y: from.y }, { drop: false });
  await expect.poll(note).toMatch(/^Water damage: closed then/);
  window.dispatchEvent(new PointerEvent('pointerup'));
});

test('a press that moves by less than 4 px changes nothing, and Escape ends a drag', async () => {
  const { requests } = await open();
  const from = middle(bar(/^Bo Lee.*8:00 AM/).element());
  drag(from, { x: from.x + 3, y: from.y });
  expect(note()).toBe('');
  drag(from, { x: from.x + hour() / 2, y: from.y }, { drop: false });
  expect(note()).toBe('8:30 - 10:30, same hours');
  await userEvent.keyboard('{Escape}');
  expect(note()).toBe('');
  window.dispatchEvent(new PointerEvent('pointerup'));
  expect(requests).toEqual([]);
});

test('a finger that moves at once scrolls and changes nothing; one that rests lifts, then moves', async () => {
  const { requests } = await open();
  const from = middle(bar(/^Bo Lee.*8:00 AM/).element());
  const to = { x: from.x + hour() / 2, y: from.y };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  drag(from, to, { by: 'touch', drop: false });
  vi.advanceTimersByTime(1000);
  expect(note()).toBe('');
  window.dispatchEvent(new PointerEvent('pointercancel'));
  const rest = () => void vi.advanceTimersByTime(400);
  // Where it only rested, nothing was drawn.
  drag({ x: from.x + 2 * hour(), y: from.y }, { x: from.x + 2 * hour(), y: from.y }, { by: 'touch', rest });
  expect(page.getByRole('dialog').elements()).toEqual([]);
  drag(from, to, { by: 'touch', rest, drop: false });
  expect(note()).toBe('8:30 - 10:30, same hours');
  const touch = new Event('touchmove', { bubbles: true, cancelable: true });
  bar(/^Bo Lee.*8:00 AM/)
    .element()
    .dispatchEvent(touch);
  expect(touch.defaultPrevented).toBe(true);
  vi.useRealTimers();
  window.dispatchEvent(new PointerEvent('pointerup'));
  await expect.poll(() => requests).toMatchObject([{ body: { start: '08:30', end: '10:30' } }]);
});

test('an end is pulled from its edge and stops at what is in the way', async () => {
  const { requests } = await open();
  const { right, top, height } = bar(/^Mo Diaz/)
    .element()
    .getBoundingClientRect();
  const from = { x: right - 4, y: top + height / 2 };
  drag(from, { x: from.x + 3.5 * hour(), y: from.y }, { drop: false });
  expect(note()).toBe('Ana Ruiz works until 6:00 PMStays at 1:00 - 6:00, +3 h.');
  window.dispatchEvent(new PointerEvent('pointerup'));
  await expect.poll(() => requests[0]?.body).toMatchObject({ start: '13:00', end: '18:00' });
});

test('a time drawn on free time opens the session form with the person, the date and the time', async () => {
  const { calendar } = await open();
  const row = calendar.row('Max Dean').element();
  const y = middle(row).y;
  const left = row.querySelector('[role="gridcell"]')?.getBoundingClientRect().left ?? 0;
  drag({ x: left + hour() * 2.1, y }, { x: left + hour() * 4, y });
  const form = page.getByRole('dialog', { name: /^New session/ });
  await expect.element(form.getByLabelText('Therapist')).toHaveValue('Max Dean');
  await expect.element(form.getByLabelText('From')).toHaveValue('09:00');
  await expect.element(form.getByLabelText('To')).toHaveValue('11:00');
});

test('a drawn booking is taken back by Ctrl+Z; what someone has changed since is kept, with the reason', async () => {
  const detail = { code: 'conflict', message: 'Kai Wood has changed it since it was booked. Nothing was changed.' };
  let changed = false;
  const made = { ...session('9', 'Bo Lee', '1:00 PM', '2:00 PM'), key: `${ID}9`, version: 1 };
  const { calendar, requests } = await open({
    replies: [
      [appointmentsEndpoints.create, () => Response.json([made], { status: 201 })],
      [
        appointmentsEndpoints.takeBack,
        () => (changed ? Response.json({ detail }, { status: 409 }) : new Response(null, { status: 204 })),
      ],
    ],
  });
  const row = calendar.row('Max Dean').element();
  const left = row.querySelector('[role="gridcell"]')?.getBoundingClientRect().left ?? 0;
  const form = page.getByRole('dialog', { name: /^New session/ });
  for (changed of [false, true]) {
    drag({ x: left + hour() * 6, y: middle(row).y }, { x: left + hour() * 7, y: middle(row).y });
    await form.getByLabelText('Client').selectOptions('Bo Lee');
    await form.getByRole('button', { name: 'Add Session' }).click();
    await expect.element(page.getByText('The session is booked.')).toBeVisible();
    await expect.element(form).not.toBeInTheDocument();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect
      .element(
        page.getByText(
          changed
            ? /^Cannot undo: Kai Wood has changed it since it was booked/
            : 'Taken back: Bo Lee’s session on Wed, Nov 18, 1:00 PM - 2:00 PM. Anyone told of it is on the call list.',
        ),
      )
      .toBeVisible();
    expect(requests.at(-1)).toMatchObject({
      path: `/appointments/${ID}9/take-back`,
      body: { scope: 'one' },
    });
  }
});

test('the same by keys: Alt and arrows move, Ctrl+Alt pulls an end, Enter drops, Escape puts back', async () => {
  const { requests } = await open();
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowLeft}{/Shift}{ArrowRight}{/Alt}');
  expect(note()).toBe('7:15 - 9:15, same hours');
  await userEvent.keyboard('{Escape}');
  expect(note()).toBe('');
  await userEvent.keyboard('{Control>}{Alt>}{ArrowRight}{/Alt}{/Control}');
  expect(note()).toBe('8:00 - 10:15, +15 min');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => requests[0]?.body).toMatchObject({ start: '08:00', end: '10:15' });
});

test('m lifts the bar in focus, so that plain arrows move it; n leads to the next place where it fits', async () => {
  const { requests } = await open();
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('m{ArrowRight}{ArrowDown}');
  expect(note()).toMatch(/^Kai Wood is with Ida Fox from 8:30 AM/);
  await userEvent.keyboard('n');
  expect(note()).toBe('12:00 - 2:00 with Kai Wood, same hours');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => requests[0]?.body).toMatchObject({ start: '12:00', end: '14:00', therapist: 'Kai Wood' });
  // The shortcut n of the page behind leads to the next day.
  expect(new URL(location.href).searchParams.get('date')).toBeNull();
});

test('in a day too, arrows stop at free half hours between the bars, and lead back to the name', async () => {
  const { calendar } = await open();
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('{ArrowRight}');
  const free = page.getByRole('button', { name: /^Free / });
  await expect.element(free).toHaveAccessibleName('Free 10:00 AM - 10:30 AM, with Ana Ruiz');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  await expect.element(free).toHaveAccessibleName('Free 7:00 AM - 7:30 AM, with Ana Ruiz');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(calendar.name('Ana Ruiz')).toHaveFocus();
  await expect.element(free).not.toBeInTheDocument();
});

test('in a child’s row, Enter on free time asks who; a number chooses, and Enter books', async () => {
  const choice = (therapist: string) => ({
    ...{ id: therapist, therapist, possible: true, words: 'free', ask: null },
  });
  const { requests } = await open({
    search: '?view=client',
    replies: [
      [proposalsEndpoints.sessionChoices, { choices: [choice('Max Dean'), choice('Lin Park')] }],
      [
        appointmentsEndpoints.create,
        () => Response.json([session('9', 'Mo Diaz', '3:00 PM', '4:00 PM')], { status: 201 }),
      ],
    ],
  });
  focus(/^Ana Ruiz.*1:00 PM/);
  await userEvent.keyboard('{ArrowRight}{Enter}{Enter}');
  const form = page.getByRole('dialog', { name: /^New session/ });
  await expect.element(form.getByRole('button', { name: /^Max Dean/ })).toHaveFocus();
  await userEvent.keyboard('2');
  await expect.element(form.getByLabelText('Therapist')).toHaveValue('Lin Park');
  await expect.element(form.getByRole('button', { name: 'Add Session' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => requests.find(({ path }) => path === appointmentsEndpoints.create.path)?.body)
    .toMatchObject({ client: 'Mo Diaz', therapist: 'Lin Park', start: '15:00' });
});

test('in a week, arrows also stop at free half hours, where Enter draws an hour and asks who', async () => {
  await open({ search: '?span=week&location=altamonte&person=Ana Ruiz' });
  focus(/^Bo Lee 8:00 - 10:00/);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('button', { name: 'Free 10:00 AM - 10:30 AM, on Wed 18' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(note()).toBe('10:00 - 11:00, 1 h');
  await userEvent.keyboard('{Control>}{Alt>}{ArrowRight}{/Alt}{/Control}{Enter}');
  const form = page.getByRole('dialog', { name: /^New session/ });
  await expect.element(form.getByLabelText('Therapist')).toHaveValue('Ana Ruiz');
  await expect.element(form.getByLabelText('To')).toHaveValue('11:15');
});

test('a session of a series asks how much of it moves', async () => {
  const { requests } = await open({ replies: [[appointmentsEndpoints.series, { dates: ['2026-11-25'], apart: 0 }]] });
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}{Enter}');
  await expect.element(page.getByRole('alertdialog').getByRole('button', { name: 'From now on' })).toBeVisible();
  await userEvent.keyboard('2');
  await expect.poll(() => requests.at(-1)?.body).toMatchObject({ start: '08:15', scope: 'following' });
});

test.each([
  ['the last session of a series that goes on', { dates: [], apart: 0, goes_on: true }, 'From now on', 'following'],
  [
    'a session with earlier ones',
    { dates: ['2026-11-25'], apart: 0, earlier: ['2026-11-17'] },
    'All still to come',
    'all',
  ],
])('given %s, the question offers it', async (_, series, answer, scope) => {
  const { requests } = await open({ replies: [[appointmentsEndpoints.series, series]] });
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}{Enter}');
  await page.getByRole('alertdialog').getByRole('button', { name: answer }).click();
  await expect.poll(() => requests.at(-1)?.body).toMatchObject({ start: '08:15', scope });
});

test('when the server refuses, the session stays where it was and the reason is shown', async () => {
  const detail = { code: 'double-booked', message: 'Ana Ruiz is booked at Tampa.' };
  await open({ replies: [[appointmentsEndpoints.update, () => Response.json({ detail }, { status: 409 })]] });
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}{Enter}');
  await expect.element(page.getByText(/Ana Ruiz is booked at Tampa/)).toBeVisible();
  await expect.element(bar(/^Bo Lee.*8:00 AM/)).toBeVisible();
});

test('a rule that may be overridden is asked about, and put back unless it is', async () => {
  const detail = { code: 'booking-needs-a-look', message: 'No authorization pays for it.', anyway: true };
  const { requests } = await open({
    replies: [[appointmentsEndpoints.update, () => Response.json({ detail }, { status: 409 })]],
  });
  focus(/^Bo Lee.*8:00 AM/);
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}{Enter}');
  const question = page.getByRole('alertdialog', { name: 'Move it anyway?' });
  await expect.element(question).toMatchTextContent('No authorization pays for it.');
  await question.getByRole('button', { name: 'Put it back' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(requests).toHaveLength(1);
});
