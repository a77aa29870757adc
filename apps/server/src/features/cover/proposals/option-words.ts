import type { Comparison } from '@clinic/cover-engine';
import type { StoredOption } from '../plan/stored-proposal.ts';

/**
 * How an option compares with Option 1, in words. *Fewest changes* first says what it counts: its strategy weighs
 * handovers and moves, while the figure beside it counts sessions that change for someone.
 */
export function optionWords(strategy: StoredOption['strategy'], { text, second }: Comparison): string {
  if (strategy !== 'fewest-changes') return text;
  return `counts handovers (${second.handovers}) and other children’s sessions that move (${second.swaps}), not sessions taken whole; ${text}`;
}
