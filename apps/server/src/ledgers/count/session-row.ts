import type { Location } from '@clinic/domain';

/** One of the sessions that add up to a figure in a ledger. */
export interface SessionRow {
  readonly id: string;
  readonly location: Location;
  readonly starts: string;
  readonly ends: string;
  readonly subject: string;
  /** The client's name; null for administrative time. */
  readonly client: string | null;
}
