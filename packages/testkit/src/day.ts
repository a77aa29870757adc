import type { ProblemSession, Service } from '@clinic/cover-engine';
import { contains, formatTime, overlaps, pushTo, type Interval, type Random } from '@clinic/domain';

/** A day under construction: therapists' hours, the times at which they are busy, and the sessions booked so far. */
export class Day {
  readonly random: Random;
  readonly hours = new Map<string, Interval[]>();
  readonly busy = new Map<string, Interval[]>();
  readonly sessions: ProblemSession[] = [];
  constructor(random: Random) {
    this.random = random;
  }
  free(therapist: string, window: Interval): boolean {
    return (
      (this.hours.get(therapist) ?? []).some((hours) => contains(hours, window)) &&
      !(this.busy.get(therapist) ?? []).some((busy) => overlaps(busy, window))
    );
  }
  book(client: string | null, therapist: string | null, window: Interval, service: Service): void {
    const id = `S${this.sessions.length + 1}`;
    this.sessions.push({
      id,
      client,
      therapist,
      start: formatTime(window.start),
      end: formatTime(window.end),
      service,
    });
    if (therapist !== null) pushTo(this.busy, therapist, window);
  }
}
