import { type BodyOf, type exportsEndpoints } from '@clinic/contract';
import type { Location } from '@clinic/domain';

/** Pure functions of the Export page. */

/** `all`: everything. `last`: what was changed here since the last export. `date`: since a date. */
export type What = 'all' | 'last' | 'date';

export interface Choice {
  readonly what: What;
  /** For `date`: the first day of the changes. */
  readonly since: string;
  /** Empty for all locations. */
  readonly locations: readonly Location[];
  /** The first and last date of sessions; empty for no limit. */
  readonly from: string;
  readonly until: string;
}

export const EVERYTHING: Choice = { what: 'all', since: '', locations: [], from: '', until: '' };

/** What must be chosen before this can be downloaded; null if nothing. */
export function missingIn({ what, since, from, until }: Choice): string | null {
  if (what === 'date' && since === '') return 'Choose since when.';
  return from !== '' && until !== '' && from > until ? 'The last session date is before the first.' : null;
}

/** The request for a choice. A date begins at midnight by this browser's clock. */
export const bodyOf = ({
  what,
  since,
  locations,
  from,
  until,
}: Choice): BodyOf<typeof exportsEndpoints.makeExport> => ({
  ...(locations.length === 0 ? {} : { locations: [...locations] }),
  ...(from === '' ? {} : { from }),
  ...(until === '' ? {} : { until }),
  ...(what === 'last' ? { since: 'last' as const } : {}),
  ...(what === 'date' ? { since: new Date(`${since}T00:00`).toISOString() } : {}),
});

/** The name of the downloaded file: `clinic export 2026-11-20.zip`. */
export const zipName = ({ what }: Choice, today: string): string =>
  `clinic ${what === 'all' ? 'export' : 'changes'} ${today}.zip`;
