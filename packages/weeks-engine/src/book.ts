/** What therapists are given so far: nobody is in two places, and no cap is exceeded. */
import type { Client, People, Span, Therapist } from './problem.ts';

export class Book {
  private readonly people: People;
  private readonly used = new Set<number>();
  private readonly load = new Map<Therapist | Client, Float64Array>();

  constructor(people: People) {
    this.people = people;
  }

  /** Books a session if it fits, and returns whether it did. */
  take(therapist: Therapist, client: Client, date: number, span: Span): boolean {
    const week = this.people.weekOf[date]!;
    const length = span.to - span.from;
    for (const who of [therapist, client]) if (this.loadOf(who)[week]! + length > who.caps[week]!) return false;
    const places = this.placesOf(therapist, date, span);
    if (places.some((place) => this.used.has(place))) return false;
    for (const place of places) this.used.add(place);
    for (const who of [therapist, client]) this.loadOf(who)[week]! += length;
    return true;
  }

  giveBack(therapist: Therapist, client: Client, date: number, span: Span): void {
    for (const place of this.placesOf(therapist, date, span)) this.used.delete(place);
    for (const who of [therapist, client]) this.loadOf(who)[this.people.weekOf[date]!]! -= span.to - span.from;
  }

  private placesOf({ index }: Therapist, date: number, { from, to }: Span): number[] {
    const first = (index * this.people.dates.length + date) * 64;
    return Array.from({ length: to - from }, (_, i) => first + from + i);
  }

  private loadOf(who: Therapist | Client): Float64Array {
    let load = this.load.get(who);
    if (!load) {
      load = new Float64Array(this.people.weeks.length);
      this.load.set(who, load);
    }
    return load;
  }
}
