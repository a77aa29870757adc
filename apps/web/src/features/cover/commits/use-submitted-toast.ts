import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { actionsEndpoints } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { takeFlash } from '../../../shared/flash.ts';
import { navigate } from '../../../shared/router/history.ts';
import { toast } from '../../../shared/ui/toast.tsx';

/** Shows after the reload what was submitted, with a button to undo it. */
export function useSubmittedToast(location: Location): void {
  const queries = useQueryClient();
  useEffect(() => {
    const flash = takeFlash();
    if (!flash) return;
    const { text, undoCommit: id, callsOf } = flash;
    const undo = async (): Promise<void> => {
      if (id === undefined) return;
      try {
        await call(actionsEndpoints.undo, { params: { id } });
        toast({ text: 'Undone. The calendar is as it was before.' });
      } catch (error) {
        toast({ tone: 'warn', text: failureWords(error, 'the calendar') });
      }
      void queries.invalidateQueries({ queryKey: ['slots', location] });
    };
    toast({
      text,
      ...(id === undefined ? {} : { action: { label: 'Undo', run: () => void undo() } }),
      ...(callsOf ? { next: { label: 'Calls to make', run: () => navigate({ to: '/calls', search: callsOf }) } } : {}),
    });
  }, [queries, location]);
}
