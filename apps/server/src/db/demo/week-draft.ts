import { contains, overlaps, type Interval, type Location, type Random, type Service } from '@clinic/domain';
import type { DemoClient, DemoTherapist } from './people.ts';

/** A session that repeats every week. */
export interface WeeklySession extends Interval {
  readonly location: Location;
  /** The day of the week; 0 is Sunday. */
  readonly day: number;
  readonly client: DemoClient | null;
  readonly therapist: DemoTherapist | null;
  readonly service: Service;
  readonly subject: string;
  /** 2 for the second therapist of a client who needs two. */
  readonly seat: 1 | 2;
  /** The same string for all sessions of a group; null outside groups. */
  readonly group: string | null;
  /** Set for a session that takes place only in even weeks (0) or only in odd weeks (1). */
  readonly parity: 0 | 1 | null;
}

/** A location's weekly schedule while it is being made. */
export interface WeekDraft {
  readonly location: Location;
  readonly random: Random;
  readonly therapists: readonly DemoTherapist[];
  readonly clients: readonly DemoClient[];
  readonly sessions: WeeklySession[];
  /** For some clients, a therapist whom the family does not want. */
  readonly excluded: ReadonlyMap<DemoClient, DemoTherapist>;
}

/** Whether the client's restrictions allow the therapist. */
export const mayServe = (client: DemoClient, therapist: DemoTherapist): boolean =>
  (client.requiresGender === null || client.requiresGender === therapist.gender) &&
  !(client.rbtOrAbove && therapist.specialization === 'BT');

/** Whether the therapist works at that time and has no other session then. */
export function isFree(draft: WeekDraft, therapist: DemoTherapist, day: number, when: Interval): boolean {
  if (!therapist.days.includes(day) || !contains(therapist.window, when)) return false;
  return !draft.sessions.some((s) => s.therapist === therapist && s.day === day && overlaps(s, when));
}
