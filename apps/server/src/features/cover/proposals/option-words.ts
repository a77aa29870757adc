import type { Comparison } from '@clinic/cover-engine';
import type { StoredOption } from '../plan/stored-proposal.ts';

/**
 * What an option is against Option 1, in words. *Fewest changes* first says what it counts: its strategy weighs
 * handovers and moves, where the figure beside it counts sessions whose day differs for someone.
 */
export function optionWords(strategy: StoredOption['strategy'], { text, second }: Comparison): string {
  if (strategy !== 'fewest-changes') return text;
  return `counts handovers (${second.handovers}) and other children’s sessions that move (${second.swaps}), not sessions taken whole; ${text}`;
}
