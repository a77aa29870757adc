import { locationLabel, type IsoDate, type Location } from '@clinic/domain';
import type { Window } from '../../../clinic-day/day.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { AbsentPerson } from './absences.queries.ts';

/** What storing one person's date changed. */
export interface StoredChange {
  readonly person: AbsentPerson;
  readonly date: IsoDate;
  /** Where it was reported. */
  readonly location: Location;
  readonly before: readonly Window[];
  readonly after: readonly Window[];
  /** The location of each session whose time came back from those whom a submit gave it to. */
  readonly returned: readonly Location[];
  /** Every location whose day is another now. */
  readonly touched: readonly Location[];
}

/** The question before a submit is taken back in part, as people were told of it: refused (409) until it is confirmed. */
export function askBefore(done: readonly StoredChange[]): void {
  const back = done.filter((each) => each.returned.length > 0);
  const returned = back.reduce((sum, each) => sum + each.returned.length, 0);
  if (returned === 0) return;
  const one = returned === 1;
  throw new Refusal('takes-back', {
    extra: { returned },
    message: `${back.map(givenAway).join(', and ')} by what was submitted, and people were told. This takes that back: ${one ? 'it needs' : 'they need'} a therapist again, and the options then offer ${one ? 'its' : 'their'} own first. Nothing was changed.`,
  });
}

function givenAway({ person, location, returned }: StoredChange): string {
  const sessions = returned.length === 1 ? '1 session' : `${returned.length} sessions`;
  const were = returned.length === 1 ? 'was' : 'were';
  const became = person.kind === 'therapist' ? 'given to others or left open' : 'cancelled';
  return `${sessions} of ${person.displayName}${elsewhere(location, returned)} ${were} ${became}`;
}

/** ` (1 at Orlando)`, where some are at other locations than the one that asks. */
function elsewhere(here: Location, returned: readonly Location[]): string {
  const others = [...new Set(returned)].filter((location) => location !== here).sort();
  if (others.length === 0) return '';
  const count = (location: Location): number => returned.filter((each) => each === location).length;
  return ` (${others.map((location) => `${count(location)} at ${locationLabel(location)}`).join(', ')})`;
}
