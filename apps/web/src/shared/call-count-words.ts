import type { CallCount } from '@clinic/contract';
import { parseTime, sayTime } from '@clinic/domain';

/** How many people must be told, in words: `6 to tell, next 8:00`; null when there is no one to tell. */
export function callCountWords({ to_tell, next }: CallCount): string | null {
  if (to_tell === 0) return null;
  return `${to_tell} to tell${next === null ? '' : `, next ${sayTime(parseTime(next) ?? 0)}`}`;
}
