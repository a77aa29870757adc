import type { ProblemSession, Service } from '@clinic/cover-engine';
import { meet, text, within, type Window } from './clinic-shapes.ts';
import { pushTo, type Random } from '@clinic/domain';

/** A day under construction: therapists' hours, the times at which they are busy, and the sessions booked so far. */
export class Day {
  readonly random: Random;
  readonly hours = new Map<string, Window[]>();
  readonly busy = new Map<string, Window[]>();
  readonly sessions: ProblemSession[] = [];
  constructor(random: Random) {
    this.random = random;
  }
  free(therapist: string, window: Window): boolean {
    return (
      within(window, this.hours.get(therapist) ?? []) && !(this.busy.get(therapist) ?? []).some((b) => meet(b, window))
    );
  }
  book(client: string | null, therapist: string | null, window: Window, service: Service): void {
    const id = `S${this.sessions.length + 1}`;
    this.sessions.push({ id, client, therapist, start: text(window[0]), end: text(window[1]), service });
    if (therapist !== null) pushTo(this.busy, therapist, window);
  }
}
