import { refusal } from '../../platform/refusal.ts';
import type { DatabaseStore } from './import-store.ts';

/**
 * The refusal for an error of the database when a part has been imported: it says how much, and that running the import
 * again finishes it. Before that, the error unchanged. For the log the error is the refusal's cause.
 */
export function brokenOff(error: unknown, store: DatabaseStore): unknown {
  return store.wrote ? Object.assign(refusal('import-broken-off', store.imported), { cause: error }) : error;
}
