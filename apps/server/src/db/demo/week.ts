import { minutesOf, overlaps, randomFrom, type Interval, type Location } from '@clinic/domain';
import type { Block, DemoClient, DemoPeople, DemoTherapist } from './people.ts';
import { addSupervision } from './supervision.ts';
import { isFree, mayServe, type WeekDraft, type WeeklySession } from './week-draft.ts';

const BLOCKS: readonly Block[] = ['morning', 'afternoon', 'late'];
/** The maximum number of therapists on a child's team. */
const TEAM = 4;
/** The share of the direct therapists' time to be booked; the rest is left free for cover. */
const FULL = 0.87;

/** Makes a location's weekly schedule. It respects all restrictions, and no therapist is in two places at once. */
export function draftWeek(people: DemoPeople, location: Location): WeekDraft {
  const draft: WeekDraft = {
    location,
    random: randomFrom(`demo week ${location}`),
    therapists: people.therapists.filter((t) => t.location === location),
    clients: people.clients.filter((c) => c.location === location),
    sessions: [],
    excluded: new Map(),
  };
  draft.sessions.push(...openSessions(draft));
  addGroups(draft);
  // Clients who are hardest to schedule come first: those who need two therapists, then those with restrictions.
  const order = draft.clients.toSorted((a, b) => difficulty(b) - difficulty(a));
  for (const client of order) {
    for (const block of client.wants) {
      for (const seat of client.twoToOne ? ([1, 2] as const) : ([1] as const)) staffBlock(draft, client, block, seat);
    }
  }
  fillDays(draft);
  addSupervision(draft);
  return { ...draft, excluded: chooseExcluded(draft) };
}

/**
 * Chooses three children at each location, and for each of them a therapist outside their team who must never see them.
 */
function chooseExcluded(draft: WeekDraft): Map<DemoClient, DemoTherapist> {
  const with_ = draft.clients.filter((c, i) => i % 13 === 6 && !c.twoToOne);
  return new Map(
    with_.flatMap((client) => {
      const team = teamOf(draft, client);
      const others = draft.therapists.filter((t) => t.specialization !== 'BCBA' && mayServe(client, t) && !team.has(t));
      return others.length === 0 ? [] : [[client, draft.random.pick(others)] as const];
    }),
  );
}

const difficulty = (c: DemoClient): number =>
  (c.twoToOne ? 4 : 0) + (c.requiresGender === 'Male' ? 3 : c.requiresGender ? 1 : 0) + (c.rbtOrAbove ? 1 : 0);

const hasDirect = (draft: WeekDraft, client: DemoClient, day: number, when: Interval): boolean =>
  draft.sessions.some((s) => s.client === client && s.day === day && s.service === 'direct' && overlaps(s, when));

function addDirect(
  draft: WeekDraft,
  who: { client: DemoClient; therapist: DemoTherapist },
  day: number,
  when: Interval,
  more: Partial<Pick<WeeklySession, 'seat' | 'group' | 'subject'>> = {},
): void {
  draft.sessions.push({
    location: draft.location,
    day,
    ...who,
    service: 'direct',
    subject: 'Direct Therapy',
    seat: 1,
    group: null,
    parity: null,
    start: when.start,
    end: when.end,
    ...more,
  });
}

/**
 * Chooses, for each day of the week, two sessions that will have no therapist. They are for different children without
 * restrictions, and at different times if possible.
 */
function openSessions(draft: WeekDraft): WeeklySession[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((day) => {
    const come = draft.clients.filter((c) => c.days.includes(day) && difficulty(c) === 0 && !c.careTeamOnly);
    const [first, second] = draft.random.shuffle(come.filter((c) => c.wants.includes('afternoon')));
    const chosen = [
      { client: first, block: 'afternoon' as const },
      { client: second, block: second?.wants.includes('morning') ? ('morning' as const) : ('afternoon' as const) },
    ];
    return chosen.flatMap(({ client, block }): WeeklySession[] => {
      if (!client) return [];
      const session = { location: draft.location, day, client, therapist: null, service: 'direct' as const };
      return [{ ...session, subject: 'Direct Therapy', seat: 1, group: null, parity: null, ...client.times[block] }];
    });
  });
}

/**
 * Adds a social skills group of up to three children after school, on each day when a therapist is free at that time.
 */
function addGroups(draft: WeekDraft): void {
  const when: Interval = { start: 16 * 60, end: 17 * 60 + 30 };
  for (let day = 0; day < 7; day++) {
    const therapist = draft.therapists.find((t) => t.specialization !== 'BCBA' && isFree(draft, t, day, when));
    const children = draft.clients.filter(
      (c) => c.wants.includes('late') && c.days.includes(day) && difficulty(c) === 0 && !c.careTeamOnly,
    );
    if (!therapist) continue;
    for (const client of children.slice(0, 3)) {
      addDirect(draft, { client, therapist }, day, when, { group: `social-${day}`, subject: 'Social Skills Group' });
    }
  }
}

/**
 * Finds therapists for one part of a child's day: as few as possible, and the same therapists on as many days as
 * possible.
 */
function staffBlock(draft: WeekDraft, client: DemoClient, block: Block, seat: 1 | 2): void {
  const when = client.times[block];
  let left = client.days.filter((day) => seat === 2 || !hasDirect(draft, client, day, when));
  for (let round = 0; round < TEAM && left.length > 0; round++) {
    const team = teamOf(draft, client);
    const candidates = draft.therapists
      .filter((t) => t.specialization !== 'BCBA' && !t.floats && mayServe(client, t))
      .filter((t) => team.size < TEAM || team.has(t))
      .map((therapist) => {
        const days = left.filter((day) => isFree(draft, therapist, day, when));
        return { therapist, days, worth: days.length * 10 + (team.has(therapist) ? 12 : 0) + draft.random.next() * 6 };
      })
      .filter((c) => c.days.length > 0);
    const best = candidates.sort((a, b) => b.worth - a.worth)[0];
    if (!best) return;
    for (const day of best.days) addDirect(draft, { client, therapist: best.therapist }, day, when, { seat });
    left = left.filter((day) => !best.days.includes(day));
  }
}

function teamOf(draft: WeekDraft, client: DemoClient): Set<DemoTherapist> {
  return new Set(draft.sessions.flatMap((s) => (s.client === client && s.therapist ? [s.therapist] : [])));
}

/** Adds sessions for therapists who have time, until each day is nearly full. */
function fillDays(draft: WeekDraft): void {
  for (let day = 0; day < 7; day++) {
    const idle = draft.random.shuffle(
      draft.therapists.filter((t) => t.specialization !== 'BCBA' && t.days.includes(day)),
    );
    for (const therapist of idle.sort((a, b) => Number(a.floats) - Number(b.floats))) {
      for (const block of BLOCKS) {
        if (bookedShare(draft, day) >= FULL) break;
        // A therapist without clients of their own keeps half a day free.
        if (therapist.floats && draft.sessions.some((s) => s.therapist === therapist && s.day === day)) break;
        addExtra(draft, therapist, day, block);
      }
    }
  }
}

function addExtra(draft: WeekDraft, therapist: DemoTherapist, day: number, block: Block): void {
  const fits = draft.clients.flatMap((client) => {
    const when = client.times[block];
    const can =
      client.days.includes(day) &&
      mayServe(client, therapist) &&
      isFree(draft, therapist, day, when) &&
      !draft.sessions.some((s) => s.client === client && s.day === day && overlaps(s, when)) &&
      // At most two sessions a day, so that no child is there from morning until night.
      draft.sessions.filter((s) => s.client === client && s.day === day).length < 2;
    if (!can) return [];
    const team = teamOf(draft, client);
    const worth = (team.has(therapist) ? 20 : team.size >= TEAM ? -20 : 0) + draft.random.next() * 6;
    return [{ client, when, worth }];
  });
  const best = fits.sort((a, b) => b.worth - a.worth)[0];
  if (best) addDirect(draft, { client: best.client, therapist }, day, best.when);
}

/** The share of the direct therapists' time that is booked on a day of the week. */
export function bookedShare(draft: WeekDraft, day: number): number {
  const working = draft.therapists.filter((t) => t.specialization !== 'BCBA' && t.days.includes(day));
  const available = minutesOf(working.map((t) => t.window));
  const busy = new Map<string, Interval>();
  for (const s of draft.sessions) {
    if (s.day === day && s.therapist && working.includes(s.therapist)) busy.set(`${s.therapist.id} ${s.start}`, s);
  }
  return minutesOf([...busy.values()]) / available;
}
