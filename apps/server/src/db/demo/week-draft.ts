import { overlaps, type Interval, type Location, type Random, type Service } from '@clinic/domain';
import type { DemoClient, DemoTherapist } from './people.ts';

/** A session that repeats every week. */
export interface WeeklySession extends Interval {
  readonly location: Location;
  /** 0 is Sunday. */
  readonly day: number;
  readonly client: DemoClient | null;
  readonly therapist: DemoTherapist | null;
  readonly service: Service;
  readonly subject: string;
  /** 2: the second therapist of a 2:1 client. */
  readonly seat: 1 | 2;
  /** Sessions of one group share it. */
  readonly group: string | null;
  /** Set: only every other week, even or odd. */
  readonly parity: 0 | 1 | null;
}

/** One location's week while it is being filled. */
export interface WeekDraft {
  readonly location: Location;
  readonly random: Random;
  readonly therapists: readonly DemoTherapist[];
  readonly clients: readonly DemoClient[];
  readonly sessions: WeeklySession[];
  /** Therapists whom a family asked not to send: they never see the child. */
  readonly excluded: ReadonlyMap<DemoClient, DemoTherapist>;
}

/** Whether the client's restrictions allow the therapist. */
export const mayServe = (client: DemoClient, therapist: DemoTherapist): boolean =>
  (client.requiresGender === null || client.requiresGender === therapist.gender) &&
  !(client.rbtOrAbove && therapist.specialization === 'BT');

/** Whether the therapist works then and has nothing else. */
export function isFree(draft: WeekDraft, therapist: DemoTherapist, day: number, when: Interval): boolean {
  const [from, to] = therapist.window;
  if (!therapist.days.includes(day) || when.start < from || when.end > to) return false;
  return !draft.sessions.some((s) => s.therapist === therapist && s.day === day && overlaps(s, when));
}
