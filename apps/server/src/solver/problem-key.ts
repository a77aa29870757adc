import { createHash } from 'node:crypto';
import type { CoverProblem } from '@clinic/cover-engine';
import { ceilToSlot, formatTime, parseTime } from '@clinic/domain';

/**
 * Returns a key that is the same for equivalent problems: the order of absences and the minutes within a quarter hour
 * do not matter.
 */
export function keyOf(problem: CoverProblem): string {
  const absences = problem.absences.map((a) => JSON.stringify([a.who, a.start, a.end])).sort();
  const now = problem.now == null ? null : formatTime(ceilToSlot(parseTime(problem.now) ?? 0));
  return createHash('sha256')
    .update(JSON.stringify({ ...problem, absences, now }))
    .digest('base64');
}
