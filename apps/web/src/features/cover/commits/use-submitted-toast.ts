import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Location } from '@clinic/domain';
import { takeFlash } from '../../../shared/flash.ts';
import { toast } from '../../../shared/ui/toast.tsx';

/**
 * When the page has reloaded after a commit, shows what was submitted, with an undo button. The button's code is loaded
 * only then, since most visits to the calendar do not need it. If its code cannot be loaded, only the text is shown.
 */
export function useSubmittedToast(location: Location): void {
  const queries = useQueryClient();
  useEffect(() => {
    const flash = takeFlash();
    if (!flash) return;
    import('./submitted-toast.ts')
      .then(({ showSubmitted }) => showSubmitted(flash, location, queries))
      .catch(() => toast({ text: flash.text, takesFocus: true }));
  }, [queries, location]);
}
