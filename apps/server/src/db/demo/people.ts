import {
  LOCATIONS,
  randomFrom,
  type Gender,
  type Interval,
  type Location,
  type Random,
  type Specialization,
} from '@clinic/domain';
import { NameGiver } from './names.ts';

/** The parts of a day when children come. */
export type Block = 'morning' | 'afternoon' | 'late';

export interface DemoTherapist {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly location: Location;
  readonly specialization: Specialization;
  readonly gender: Gender;
  readonly startDate: string;
  readonly consistency: number;
  /** The days of the week on which the therapist works; 0 is Sunday. */
  readonly days: readonly number[];
  readonly window: Interval;
  /** Whether the therapist has no clients of their own, and so can cover for others. */
  readonly floats: boolean;
}

export interface DemoClient {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly location: Location;
  readonly gender: Gender;
  readonly requiresGender: Gender | null;
  readonly rbtOrAbove: boolean;
  readonly careTeamOnly: boolean;
  readonly twoToOne: boolean;
  readonly days: readonly number[];
  readonly wants: readonly Block[];
  /** When the child comes, for each part of the day. */
  readonly times: Readonly<Record<Block, Interval>>;
}

export interface DemoPeople {
  readonly therapists: readonly DemoTherapist[];
  readonly clients: readonly DemoClient[];
}

const SIZES: Record<Location, { direct: number; bcba: number; clients: number }> = {
  altamonte: { direct: 35, bcba: 4, clients: 43 },
  deerfield: { direct: 34, bcba: 4, clients: 42 },
  orlando: { direct: 36, bcba: 4, clients: 44 },
  'palm beach': { direct: 34, bcba: 4, clients: 42 },
  tampa: { direct: 37, bcba: 5, clients: 45 },
};

const at = (hour: number, minute = 0): number => hour * 60 + minute;
const EARLY: readonly Interval[] = [
  { start: at(8), end: at(16) },
  { start: at(8), end: at(16) },
  { start: at(8), end: at(16) },
  { start: at(8), end: at(16, 30) },
  { start: at(8, 30), end: at(16) },
  { start: at(8, 30), end: at(16, 30) },
];
const LATE: readonly Interval[] = [
  { start: at(12), end: at(19) },
  { start: at(12), end: at(19) },
  { start: at(11, 30), end: at(19) },
];
const BCBA: readonly Interval[] = [
  { start: at(8, 30), end: at(17) },
  { start: at(9), end: at(17, 30) },
  { start: at(8), end: at(16, 30) },
];

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
/**
 * Returns the five working days of someone whose two days off begin on day `off` (0 is Sunday). Days off differ from
 * person to person, because the demo clinic must be full today, whatever day of the week it is.
 */
const daysOffFrom = (off: number): number[] => range(7).filter((day) => day !== off % 7 && day !== (off + 1) % 7);

/**
 * Makes everyone in the demo clinic. The result must never change, because rows for later days are generated from the
 * same people.
 */
export function demoPeople(): DemoPeople {
  const names = new NameGiver(randomFrom('demo names'));
  const therapists: DemoTherapist[] = [];
  const clients: DemoClient[] = [];
  for (const { value } of LOCATIONS) {
    const random = randomFrom(`demo people ${value}`);
    addTherapists(therapists, value, random, names);
    addClients(clients, value, random, names);
  }
  return { therapists, clients };
}

function addTherapists(all: DemoTherapist[], location: Location, random: Random, names: NameGiver): void {
  const { direct, bcba } = SIZES[location];
  const genders = range(direct + bcba).map((i): Gender => (i % 5 === 2 ? 'Male' : 'Female'));
  const given = names.give('adults', genders);
  given.forEach(({ first, last }, i) => {
    const isBcba = i >= direct;
    const floats = !isBcba && i < 2;
    const isLate = !isBcba && !floats && i % 5 >= 3;
    // The BCBAs' days off are spread so that at least two BCBAs work each day.
    const off = isBcba ? (i - direct) * 2 : i;
    all.push({
      id: `T-${String(all.length + 1).padStart(4, '0')}`,
      first,
      last,
      location,
      specialization: isBcba ? 'BCBA' : random.chance(0.68) ? 'RBT' : 'BT',
      gender: genders[i] ?? 'Female',
      startDate: `${random.int(2016, 2023)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
      consistency: random.int(58, 99),
      days: daysOffFrom(floats ? i * 2 + 1 : off),
      window: random.pick(isBcba ? BCBA : isLate ? LATE : EARLY),
      floats,
    });
  });
}

function addClients(all: DemoClient[], location: Location, random: Random, names: NameGiver): void {
  const count = SIZES[location].clients;
  const genders = range(count).map((): Gender => (random.chance(0.72) ? 'Male' : 'Female'));
  names.give('children', genders).forEach(({ first, last }, i) => {
    const program = (i * 5) % 18; // of 18 children, eight come all day, five in the afternoon, five after school
    const wants: Block[] = program < 8 ? ['morning', 'afternoon'] : program < 13 ? ['afternoon'] : ['late'];
    all.push({
      id: `C-${String(all.length + 1).padStart(4, '0')}`,
      first,
      last,
      location,
      gender: genders[i] ?? 'Male',
      requiresGender: i % 11 === 3 ? 'Female' : i === 20 ? 'Male' : null,
      rbtOrAbove: i % 12 === 5,
      careTeamOnly: i % 17 === 8,
      twoToOne: i === 11, // the client at this index comes all day
      days: daysOffFrom(i + 3),
      wants,
      times: {
        morning: {
          start: random.pick([at(8), at(8), at(8), at(8, 15), at(8, 30), at(8, 30)]),
          end: random.pick([at(11, 15), at(11, 30), at(11, 30)]),
        },
        afternoon: random.pick([
          { start: at(12), end: at(15, 30) },
          { start: at(12), end: at(15, 30) },
          { start: at(12, 15), end: at(15, 45) },
          { start: at(12, 30), end: at(16) },
        ]),
        late: random.pick([
          { start: at(15, 30), end: at(18, 30) },
          { start: at(15, 45), end: at(18, 45) },
          { start: at(16), end: at(19) },
          { start: at(16), end: at(18, 45) },
        ]),
      },
    });
  });
}
