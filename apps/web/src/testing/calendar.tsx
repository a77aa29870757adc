import { calendarEndpoints, type SlotsReply, type WireAppointment } from '@clinic/contract';
import { page } from 'vitest/browser';
import { openPage } from './pages.tsx';
import type { Replies } from './components.tsx';

/** A session at Altamonte on the morning of the tests, as the API sends it. */
export const session = (
  id: string,
  client: string,
  from: string,
  to: string,
  over: Partial<WireAppointment> = {},
): WireAppointment => ({
  Id: id,
  'Client Name': client,
  Preferred_Provider_Name: 'Ana Ruiz',
  StartDateTime: `11/18/2026, ${from}`,
  EndDateTime: `11/18/2026, ${to}`,
  Subject: 'Direct Therapy',
  Appointment_Status: 'Confirmed',
  Location: 'Altamonte',
  'Location Group': 'Central Florida',
  ...over,
});

export const therapist = (name: string): SlotsReply['people'][number] => ({
  id: name,
  name,
  type: 'therapist',
  credential: 'RBT',
});
const client = (name: string): SlotsReply['people'][number] => ({ id: name, name, type: 'client' });

const by = (name: string) => ({ Preferred_Provider_Name: name });

/** An ordinary morning: four therapists, of whom one has no sessions, and four clients. */
export const MORNING: SlotsReply = {
  appointments: [
    session('1', 'Bo Lee', '8:00 AM', '10:00 AM'),
    session('2', 'Mo Diaz', '1:00 PM', '3:00 PM'),
    session('3', 'Ida Fox', '8:30 AM', '11:30 AM', by('Kai Wood')),
    session('4', 'Bo Lee', '10:30 AM', '12:00 PM', by('Kai Wood')),
    session('5', 'Zoe Hall', '9:00 AM', '12:00 PM', by('Lin Park')),
    session('6', 'Admin', '1:00 PM', '2:00 PM', by('Lin Park')),
  ],
  availabilities: ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'].map((name) => ({
    therapist_name: name,
    start_time: '2026-11-18T07:00:00',
    end_time: '2026-11-18T18:00:00',
    location: 'altamonte',
  })),
  absences: [],
  people: [
    ...['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'].map(therapist),
    ...['Bo Lee', 'Ida Fox', 'Mo Diaz', 'Zoe Hall'].map(client),
  ],
  version: 1,
  now: '2026-11-18T07:05:00',
};

/** Opens the calendar on a day, an ordinary morning unless given, and waits for its rows. */
export async function openCalendar(
  day: Partial<SlotsReply> = {},
  { search = '', replies = [] }: { search?: string; replies?: Replies } = {},
) {
  const opened = await openPage(`/calendar${search}`, {
    replies: [...replies, [calendarEndpoints.slots, { ...MORNING, ...day }]],
  });
  await page.getByRole('rowheader').first().findElement();
  return { ...opened, calendar: theCalendar() };
}

/** The calendar's parts by role and name. */
const theCalendar = () => {
  const grid = page.getByRole('grid');
  const panel = page.getByRole('dialog', { name: /^Absences for / });
  return {
    grid,
    panel,
    absencesButton: page.getByRole('button', { name: /^Absences( \d+)?$/ }),
    modal: page.getByRole('dialog', { name: /^Schedule Solutions/ }),
    /** The button with a person's name, in their row. */
    name: (person: string) => grid.getByRole('rowheader').getByRole('button', { name: new RegExp(`^${person}\\b`) }),
    row: (person: string) =>
      grid.getByRole('row').filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${person}\\b`) }) }),
    /** A person's entry in the absences panel. */
    entry: (person: string) =>
      panel.getByRole('listitem').filter({ has: page.getByRole('heading', { name: person, exact: true }) }),
    /** What a selector finds in the grid. */
    all: (selector: string): HTMLElement[] => [...grid.element().querySelectorAll<HTMLElement>(selector)],
    names: (): (string | null | undefined)[] =>
      [...grid.element().querySelectorAll('[data-name] > span:first-child')].map((each) => each.textContent),
  };
};
