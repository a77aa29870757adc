import { createHash } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** Makes a version for something that has no version number: a hash, which changes whenever these values do. */
export const versionOf = (values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);

/**
 * Refuses (`stale-version`) to save over values that someone else has saved since they were read. A request to save
 * exactly what is already stored is allowed; it may be a repeat after a lost reply.
 * @param sent the version that was edited; undefined to save over any version
 * @param stored the values as stored, locked until the transaction ends
 */
export function requireVersion(sent: string | undefined, stored: readonly unknown[], wanted: readonly unknown[]): void {
  const version = versionOf(stored);
  if (sent !== undefined && sent !== version && versionOf(wanted) !== version)
    throw new Refusal('stale-version', { extra: { version } });
}
