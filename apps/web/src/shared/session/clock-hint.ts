import { duration } from '@clinic/domain';
import { wrongMinutes } from '../server-clock.ts';
import { toast } from '../ui/toast.tsx';

let hinted = false;
/** Warns once if this computer's clock is wrong. The product follows the clinic's clock, but other programs do not. */
export function hintAtClock(): void {
  const minutes = wrongMinutes();
  if (hinted || minutes === 0) return;
  hinted = true;
  const by = duration(Math.abs(minutes));
  toast({
    tone: 'warn',
    text: `This computer’s clock is ${by} ${minutes > 0 ? 'fast' : 'slow'}. The scheduler uses the clinic’s time.`,
  });
}
