import { LOCATIONS, randomFrom, type Location } from '@clinic/domain';
import type { DemoPeople } from './people.ts';

export interface DemoContact {
  readonly client_id: string | null;
  readonly therapist_id: string | null;
  readonly rank: number;
  readonly name: string;
  readonly relation: string;
  readonly phone: string;
  readonly email: string;
  readonly language: string;
  readonly preferred: string;
}

const AREA: Readonly<Record<Location, string>> = {
  altamonte: '407',
  deerfield: '954',
  orlando: '321',
  'palm beach': '561',
  tampa: '813',
};
const MOTHERS = ['Andrea', 'Carmen', 'Denise', 'Elaine', 'Fiona', 'Grace', 'Irene', 'Joanna', 'Lucía', 'Monique'];
const FATHERS = ['Adrian', 'Bruno', 'Curtis', 'Dmitri', 'Esteban', 'Franklin', 'Gordon', 'Hector', 'Ivan', 'Julian'];

/**
 * Contact details for everyone in the demo clinic. The numbers and addresses belong to no real person (555-01xx,
 * example.org).
 */
export function demoContacts({ clients, therapists }: DemoPeople): DemoContact[] {
  const random = randomFrom('demo contacts');
  const numbers = new Map(LOCATIONS.map(({ value }) => [value, 0]));
  const phone = (location: Location): string => {
    const number = numbers.get(location) ?? 0;
    numbers.set(location, number + 1);
    return `(${AREA[location]}) 555-01${String(number % 100).padStart(2, '0')}`;
  };
  const families = clients.flatMap((client, i) => {
    const language = i % 7 === 3 ? 'Spanish' : '';
    const parent = (rank: number, first: string, relation: string, preferred: string): DemoContact => ({
      client_id: client.id,
      therapist_id: null,
      rank,
      name: `${first} ${client.last}`,
      relation,
      phone: phone(client.location),
      email: addressOf(first, client.last),
      language,
      preferred,
    });
    const mother = parent(1, random.pick(MOTHERS), 'Mother', preferredBy(i));
    // Some families have given only one number.
    return i % 4 === 2 ? [mother] : [mother, parent(2, random.pick(FATHERS), 'Father', '')];
  });
  const staff = therapists.map((therapist, i): DemoContact => ({
    client_id: null,
    therapist_id: therapist.id,
    rank: 1,
    name: `${therapist.first} ${therapist.last}`,
    relation: '',
    phone: phone(therapist.location),
    email: addressOf(therapist.first, therapist.last),
    language: '',
    preferred: i % 2 === 0 ? 'text' : 'phone',
  }));
  return [...families, ...staff];
}

const addressOf = (first: string, last: string): string =>
  `${first}.${last}@example.org`
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z.@]/g, '');

/** How the mother of the i-th client prefers to be reached; empty when she has no preference. */
function preferredBy(i: number): string {
  if (i % 3 === 0) return 'text';
  return ['', 'phone', 'email'][i % 5] ?? '';
}
