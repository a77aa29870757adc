import { refusal } from '../../platform/refusal.ts';
import type { DatabaseStore } from './import-store.ts';

/**
 * Makes the refusal for a database error after part of an import was written. It says how much was imported, and that
 * importing again finishes the rest. If nothing was written, returns the error unchanged. The log shows the error as
 * the refusal's cause.
 */
export function brokenOff(error: unknown, store: DatabaseStore): unknown {
  return store.wrote ? Object.assign(refusal('import-broken-off', store.imported), { cause: error }) : error;
}
