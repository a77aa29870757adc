import type { Interval, IsoDate, Location } from '@clinic/domain';
import { refusal } from '../../../platform/refusal.ts';
import type { AbsentPerson } from './absences.queries.ts';

/** What changed when the absences of one person on one date were stored. */
export interface StoredChange {
  readonly person: AbsentPerson;
  readonly date: IsoDate;
  /** The location that reported the absence. */
  readonly location: Location;
  readonly before: readonly Interval[];
  readonly after: readonly Interval[];
  /** The location of each session that a commit had changed and that needs cover again. */
  readonly returned: readonly Location[];
  /** Every location whose day has changed. */
  readonly touched: readonly Location[];
}

/**
 * Refuses (409) to undo part of a commit until the coordinator confirms it, since people were told about the commit.
 */
export function askBefore(done: readonly StoredChange[]): void {
  const back = done.filter((each) => each.returned.length > 0);
  if (back.length === 0) return;
  const sessions = back.map(({ person, location, returned }) => ({
    name: person.displayName,
    kind: person.kind,
    here: location,
    sessions: returned,
  }));
  const returned = back.reduce((sum, each) => sum + each.returned.length, 0);
  throw refusal('takes-back-sessions', sessions).with({ extra: { returned } });
}
