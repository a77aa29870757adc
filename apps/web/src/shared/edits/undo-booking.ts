import { appointmentsEndpoints } from '@clinic/contract';
import { call } from '../api/client.ts';
import { failureWords } from '../api/failure-words.ts';
import { queryClient } from '../api/query-client.ts';
import { toast, type ToastSpec } from '../ui/toast.tsx';

/** Says why something cannot be undone. */
export const cannotUndo = (error: unknown): void =>
  void toast({
    text: `Cannot undo: ${failureWords(error, 'the calendar', 'undone')}`,
    tone: 'warn',
    stays: 12_000,
  });

/**
 * The *Undo* of a booking, which Ctrl+Z uses too: takes back the session, or the weekly series that begin with these.
 * @param what names what was booked: `Bo Lee’s session on Wed, Nov 18`
 */
export const undoBooking = (
  what: string,
  keys: readonly (string | null | undefined)[],
  scope: 'one' | 'following',
): Pick<ToastSpec, 'action'> => ({
  action: { label: 'Undo', run: () => void takeBack(what, keys, scope) },
});

async function takeBack(what: string, keys: readonly (string | null | undefined)[], scope: 'one' | 'following') {
  try {
    const [key, ...also] = keys.flatMap((each) => each ?? []);
    if (key)
      await call(appointmentsEndpoints.takeBack, {
        params: { key },
        body: { scope, ...(also.length > 0 && { also }) },
      });
    toast({ text: `Taken back: ${what}. Anyone told of it is on the call list.` });
  } catch (error) {
    cannotUndo(error);
  }
  await queryClient.invalidateQueries({ queryKey: ['slots'] });
}
