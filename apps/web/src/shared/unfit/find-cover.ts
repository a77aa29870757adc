import type { UnfitSessions } from '@clinic/contract';
import { navigate } from '../router/history.ts';
import { toast } from '../ui/toast.tsx';
import { coverAhead } from './cover-ahead.ts';

/** After a save has left these sessions without a therapist, opens the options for the first of their days. */
export function findCover(unfit: UnfitSessions): void {
  const { first, words } = coverAhead(unfit);
  if (first === null) return;
  toast({ text: words, stays: 20_000 });
  navigate({ to: '/calendar', search: { ...first, options: 'open' } });
}

/** The address where a therapist's children at a location are handed over for good, from a date on. */
export const handover = (location: string, therapist: string, from: string) => ({
  location,
  therapist,
  from,
  for_good: '1',
});
