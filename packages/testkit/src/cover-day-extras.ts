/** Additions to a booked day: groups, absences and pins. */
import type { CoverProblem, Credential, ProblemAbsence, ProblemClient, ProblemTherapist } from '@clinic/cover-engine';
import { formatTime, MINUTES_A_DAY, overlaps, pushTo, type Interval } from '@clinic/domain';
import { at, CLIENT_ABSENCES, oneWindow, THERAPIST_ABSENCES, windowOf } from './clinic-shapes.ts';
import type { Day } from './day.ts';

/**
 * Turns a share of the direct sessions into groups of two, each modeled as a single client, and returns these clients.
 * Such a client has the restrictions of both members, the lower of their familiarities, and the sum of their
 * priorities.
 */
export function bookGroups(
  day: Day,
  team: ProblemTherapist[],
  clients: ProblemClient[],
  share: number,
): ProblemClient[] {
  const joint: ProblemClient[] = [];
  const single = clients.slice();
  for (const session of day.sessions) {
    if (session.service !== 'direct' || session.client === null || !day.random.chance(share)) continue;
    const [a, b] = [single.find((c) => c.id === session.client), day.random.pick(single)];
    if (!a || a.id === b.id) continue;
    const knows: ProblemClient['knows'] = {};
    for (const t of team) {
      const both = [a.knows?.[t.id], b.knows?.[t.id]];
      if (both.every(Boolean)) knows[t.id] = both.every((k) => k === 'team') ? 'team' : 'known';
    }
    const lists = [a.credentials, b.credentials].filter((l) => l != null);
    joint.push({
      id: `G${joint.length + 1}`,
      name: `${a.name} and ${b.name}`,
      priority: (a.priority ?? 100) + (b.priority ?? 100),
      requiresGender: [...new Set([...(a.requiresGender ?? []), ...(b.requiresGender ?? [])])],
      excludes: [...new Set([...(a.excludes ?? []), ...(b.excludes ?? [])])],
      knows,
      knownOnly: (a.knownOnly ?? false) || (b.knownOnly ?? false),
      credentials: lists.length > 0 ? (['RBT', 'BCBA'] satisfies Credential[]) : null,
    });
    session.client = `G${joint.length}`;
  }
  return joint;
}

/** Draws the absences of a day at random. `absent`: the share of therapists who are away, 0 to 1. */
export function absences(
  day: Day,
  team: ProblemTherapist[],
  clients: ProblemClient[],
  options: { absent: number; now?: string | null },
): ProblemAbsence[] {
  const { random } = day;
  const now = options.now ? at(options.now) : null;
  const entry = (who: string, { start, end }: Interval): ProblemAbsence => ({
    who,
    start: formatTime(start),
    end: formatTime(end),
  });
  const awayT = Math.max(options.absent > 0 ? 1 : 0, Math.round(team.length * options.absent));
  const awayC = Math.max(options.absent > 0 ? 1 : 0, Math.round(clients.length * options.absent * 0.6));
  const ofStaff = random.sample(team, awayT).map((t) => {
    if (now !== null && random.chance(0.6))
      return entry(t.id, { start: Math.ceil((now + random.pick([0, 15, 60, 90])) / 15) * 15, end: MINUTES_A_DAY });
    return entry(t.id, oneWindow(random.weighted(THERAPIST_ABSENCES)));
  });
  const ofClients = random.sample(clients, awayC).map((c) => entry(c.id, oneWindow(random.weighted(CLIENT_ABSENCES))));
  return [...ofStaff.filter((a) => a.start < a.end || a.end === '24:00'), ...ofClients];
}

/** Pins up to `count` affected direct sessions, each to a free therapist of the care team or to no therapist. */
export function pinSome(day: Day, problem: CoverProblem, count: number): CoverProblem['pins'] {
  const clientAway = new Set(problem.absences.map((a) => a.who).filter((who) => who.startsWith('C')));
  const away = (who: string | null, window: Interval): boolean =>
    problem.absences.some((a) => a.who === who && overlaps(windowOf(a), window));
  const soonest = problem.now ? at(problem.now) + 75 : 0;
  const pins: NonNullable<CoverProblem['pins']> = [];
  for (const s of day.random.shuffle(problem.sessions)) {
    if (pins.length === count) break;
    const window = windowOf(s);
    const client = problem.clients.find((c) => c.id === s.client);
    if (!client || s.service !== 'direct' || clientAway.has(client.id) || window.start < soonest) continue;
    if (s.therapist !== null && !away(s.therapist, window)) continue;
    const helper = problem.therapists.find(
      (t) =>
        client.knows?.[t.id] === 'team' &&
        (client.credentials?.includes(t.credential) ?? true) &&
        day.free(t.id, window) &&
        !away(t.id, window),
    );
    if (helper) pushTo(day.busy, helper.id, window);
    pins.push({ session: s.id, pieces: [{ therapist: helper?.id ?? null, start: s.start, end: s.end }] });
  }
  return pins;
}
