/** Days for measuring the calendar: any number of therapists with five sessions each, and no double bookings. */
import type { SlotsReply } from '@clinic/contract';
import { randomFrom } from '@clinic/testkit';

export const BARS_A_ROW = 5;
const FIRST = ['Ana', 'Jamal', 'Priya', 'Tomas', 'Wei', 'Kerry-Ann', 'Noor', 'Luis', 'Sofia', 'Maximilian'];
const LAST = [
  'Ruiz',
  "O'Brien",
  'Nakamura',
  'Okafor',
  'de la Cruz',
  'Lindqvist',
  'Haddad',
  'Montgomery',
  'Li',
  'Brandt',
];

/**
 * Returns a name that no other index has: a first name and a surname of two parts, with a number once all combinations
 * are used.
 */
function nameOf(index: number): string {
  const pick = (list: readonly string[], at: number): string => list[Math.floor(at) % list.length] ?? '';
  const again = index < 1000 ? '' : ` (${Math.floor(index / 1000) + 1})`;
  return `${pick(FIRST, index)} ${pick(LAST, index / 10)}-${pick(LAST, index / 100 + 3)}${again}`;
}

const two = (n: number): string => String(n).padStart(2, '0');
const wire = (date: string, minutes: number): string => {
  const [year, month, day] = date.split('-').map(Number);
  const hour = Math.floor(minutes / 60);
  return `${month}/${day}/${year}, ${hour % 12 || 12}:${two(minutes % 60)} ${hour < 12 ? 'AM' : 'PM'}`;
};

/** The reply of `/api/slots` for a made-up day (`YYYY-MM-DD`) with `rows` therapists and the same number of clients. */
export function slotsDay(rows: number, date: string): SlotsReply {
  const random = randomFrom(rows);
  const therapists = Array.from({ length: rows }, (_, i) => nameOf(i));
  const clients = Array.from({ length: rows }, (_, i) => `${nameOf(i)}-C`);
  const appointments = therapists.flatMap((therapist, row) =>
    Array.from({ length: BARS_A_ROW }, (_, part) => {
      // A client's sessions do not overlap, and each is with a different therapist.
      const start = 420 + part * 140 + 15 * random.int(0, 2);
      return {
        Id: `APT-${row}-${part}`,
        key: `APT-${row}-${part}`,
        version: 1,
        StartDateTime: wire(date, start),
        EndDateTime: wire(date, start + 60 + 15 * random.int(0, 3)),
        Subject: 'Direct Therapy',
        Preferred_Provider_Name: therapist,
        Appointment_Status: 'Confirmed',
        'Client Name': clients[(row + 37 * part) % rows] ?? '',
        Location: 'Altamonte',
        'Location Group': 'Central Florida',
        service: 'direct' as const,
      };
    }),
  );
  return {
    appointments,
    availabilities: therapists.map((therapist_name) => ({
      therapist_name,
      start_time: `${date}T07:00:00`,
      end_time: `${date}T19:00:00`,
      location: 'altamonte',
    })),
    absences: [],
    people: [
      ...therapists.map((name, i) => ({ id: `t${i}`, name, type: 'therapist' as const, credential: 'RBT' })),
      ...clients.map((name, i) => ({ id: `c${i}`, name, type: 'client' as const })),
    ],
    version: 1,
    now: `${date}T08:10:00`,
  };
}
