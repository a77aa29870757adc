import { minutesOf, overlaps, subtract, type Interval } from '@clinic/domain';
import type { DemoClient, DemoTherapist } from './people.ts';
import { isFree, mayServe, type WeekDraft, type WeeklySession } from './week-draft.ts';

const HOUR = 60;
/** The BCBAs' lunch break, which is kept free. */
const LUNCH: Interval = { start: 12 * HOUR + 30, end: 13 * HOUR + 15 };

/** Most RBTs get at least this share of their direct time supervised: a little more than a month requires (5 %). */
const SHARE = 0.058;

/**
 * Adds the BCBAs' sessions where they fit: for each client, an hour of supervision (or 90 minutes of assessment) every
 * week and an hour of parent training every other week; then more supervision of the RBTs who have too little, except
 * every seventh, who is at risk; then administrative time.
 */
export function addSupervision(draft: WeekDraft): void {
  const bcbas = draft.therapists.filter((t) => t.specialization === 'BCBA');
  draft.clients.forEach((client, i) => {
    // Each client goes to the next BCBA in turn. A BCBA whom the client's restrictions rule out is skipped.
    const own = bcbas.map((_, k) => bcbas[(i + k) % bcbas.length]).find((t) => t && mayServe(client, t));
    if (!own) return;
    alongside(draft, own, client, i % 8 === 3);
    parentTraining(draft, own, client, i % 2 === 0 ? 0 : 1);
  });
  const rbts = draft.therapists.filter((t) => t.specialization === 'RBT');
  for (const rbt of rbts.filter((_, i) => i % 7 !== 3)) superviseEnough(draft, bcbas, rbt);
  for (const bcba of bcbas) for (const day of bcba.days) adminTime(draft, bcba, day);
}

const sessionsOn = (draft: WeekDraft, bcba: DemoTherapist, day: number): number =>
  draft.sessions.filter((s) => s.therapist === bcba && s.day === day).length;

const add = (
  draft: WeekDraft,
  s: Pick<WeeklySession, 'day' | 'client' | 'therapist' | 'service' | 'subject' | 'parity'> & Interval,
): void => {
  draft.sessions.push({ location: draft.location, seat: 1, group: null, ...s });
};

/**
 * Adds an hour of supervision, or 90 minutes of assessment, during one of the client's direct sessions. Tries first the
 * sessions of RBTs, those with the least supervision for their hours before others, then the days on which the BCBA has
 * the fewest sessions.
 */
function alongside(draft: WeekDraft, bcba: DemoTherapist, client: DemoClient, assessment: boolean): void {
  const direct = draft.sessions
    .filter((s) => s.client === client && s.service === 'direct' && s.therapist && s.seat === 1)
    .map((s) => ({ s, share: supervisedShare(draft, s.therapist), busy: sessionsOn(draft, bcba, s.day) }))
    .sort((a, b) => a.share - b.share || a.busy - b.busy);
  const long = assessment ? 90 : HOUR;
  direct.some(({ s }) => superviseDuring(draft, bcba, s, long, assessment ? 'Assessment' : 'Supervision'));
}

/** Adds hours of supervision of this RBT until `SHARE` is reached, if the BCBAs have time. */
function superviseEnough(draft: WeekDraft, bcbas: readonly DemoTherapist[], rbt: DemoTherapist): void {
  const direct = draft.sessions.filter((s) => s.therapist === rbt && s.service === 'direct' && s.group === null);
  for (const session of direct) {
    if (supervisedShare(draft, rbt) >= SHARE) return;
    bcbas
      .filter((bcba) => session.client && mayServe(session.client, bcba))
      .sort((a, b) => sessionsOn(draft, a, session.day) - sessionsOn(draft, b, session.day))
      .some((bcba) => superviseDuring(draft, bcba, session, HOUR, 'Supervision'));
  }
}

/**
 * Adds the BCBA's session during this direct session, if the BCBA is free then and no one supervises it yet. Returns
 * whether it was added.
 */
function superviseDuring(
  draft: WeekDraft,
  bcba: DemoTherapist,
  { client, day, start: from, end }: WeeklySession,
  long: number,
  subject: string,
): boolean {
  for (let start = from + 30; start + long <= end; start += 30) {
    const when = { start, end: start + long };
    const beside = draft.sessions.some(
      (s) => s.client === client && s.day === day && s.service === 'supervision' && overlaps(s, when),
    );
    if (beside || overlaps(when, LUNCH) || !isFree(draft, bcba, day, when)) continue;
    add(draft, { day, client, therapist: bcba, service: 'supervision', subject, parity: null, ...when });
    return true;
  }
  return false;
}

/** The share of an RBT's direct time that has supervision in this week; more than 1 for anyone else. */
function supervisedShare(draft: WeekDraft, rbt: DemoTherapist | null): number {
  if (rbt?.specialization !== 'RBT') return 2;
  const direct = draft.sessions.filter((s) => s.therapist === rbt && s.service === 'direct');
  const supervised = draft.sessions.filter(
    (s) =>
      s.service === 'supervision' && direct.some((d) => d.client === s.client && d.day === s.day && overlaps(d, s)),
  );
  return minutesOf(supervised) / minutesOf(direct);
}

/**
 * Adds an hour of parent training at a time when the child has no session. Tries first the days on which the BCBA has
 * the fewest sessions.
 */
function parentTraining(draft: WeekDraft, bcba: DemoTherapist, client: DemoClient, parity: 0 | 1): void {
  const days = bcba.days.toSorted((a, b) => sessionsOn(draft, bcba, a) - sessionsOn(draft, bcba, b));
  for (const day of days) {
    for (const start of [16 * HOUR, 15 * HOUR + 45, 15 * HOUR, 9 * HOUR, 10 * HOUR, 11 * HOUR + 30, 13 * HOUR + 15]) {
      const when = { start, end: start + HOUR };
      const taken = draft.sessions.some((s) => s.client === client && s.day === day && overlaps(s, when));
      if (taken || overlaps(when, LUNCH) || !isFree(draft, bcba, day, when)) continue;
      add(draft, {
        day,
        client,
        therapist: bcba,
        service: 'parent-training',
        subject: 'Parent Training',
        parity,
        ...when,
      });
      return;
    }
  }
}

/**
 * Adds administrative time to the BCBA's gaps of at least 45 minutes: at most two hours in each gap and four hours a
 * day.
 */
function adminTime(draft: WeekDraft, bcba: DemoTherapist, day: number): void {
  const busy = draft.sessions.filter((s) => s.therapist === bcba && s.day === day);
  let left = 4 * HOUR;
  for (const gap of subtract([bcba.window], [...busy, LUNCH])) {
    const long = Math.min(gap.end - gap.start, 2 * HOUR, left);
    if (long < 45) continue;
    left -= long;
    const when = { start: gap.start, end: gap.start + long };
    add(draft, { day, client: null, therapist: bcba, service: 'admin', subject: 'Admin Time', parity: null, ...when });
  }
}
