import { overlaps, subtract, type Interval } from '@clinic/domain';
import type { DemoClient, DemoTherapist } from './people.ts';
import { isFree, mayServe, type WeekDraft, type WeeklySession } from './week-draft.ts';

const HOUR = 60;
/** The BCBAs' lunch break, which is kept free. */
const LUNCH: Interval = { start: 12 * HOUR + 30, end: 13 * HOUR + 15 };

/**
 * Adds the BCBAs' sessions where they fit: for each client, an hour of supervision (or 90 minutes of assessment) every
 * week and an hour of parent training every other week; then administrative time.
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
 * days on which the BCBA has the fewest sessions.
 */
function alongside(draft: WeekDraft, bcba: DemoTherapist, client: DemoClient, assessment: boolean): void {
  const long = assessment ? 90 : 60;
  const direct = draft.sessions.filter(
    (s) => s.client === client && s.service === 'direct' && s.therapist && s.seat === 1,
  );
  const days = bcba.days.toSorted((a, b) => sessionsOn(draft, bcba, a) - sessionsOn(draft, bcba, b));
  for (const day of days) {
    for (const s of direct.filter((d) => d.day === day)) {
      for (let start = s.start + 30; start + long <= s.end; start += 30) {
        const when = { start, end: start + long };
        if (overlaps(when, LUNCH) || !isFree(draft, bcba, day, when)) continue;
        const subject = assessment ? 'Assessment' : 'Supervision';
        add(draft, { day, client, therapist: bcba, service: 'supervision', subject, parity: null, ...when });
        return;
      }
    }
  }
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
