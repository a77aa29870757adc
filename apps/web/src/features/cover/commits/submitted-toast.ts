import type { QueryClient } from '@tanstack/react-query';
import { actionsEndpoints } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import type { Flash } from '../../../shared/flash.ts';
import { navigate } from '../../../shared/router/history.ts';
import { toast } from '../../../shared/ui/toast.tsx';

/**
 * Asks the server why the commit can no longer be undone. Any event about the commit's first date makes the reply
 * stale.
 */
const whyNotUndo = (id: string, location: Location, date: string) => ({
  key: [...queryKeys.commits(location, date), 'why-not', id],
  ask: async (signal: AbortSignal): Promise<string | null> => {
    const commits = await call(actionsEndpoints.commits, { query: { location, date }, signal });
    const commit = commits.find((each) => each.id === id);
    if (commit?.undone_by != null) return `${commit.undone_by} has undone it.`;
    return commit?.cannot_undo == null ? null : `Cannot be undone: ${commit.cannot_undo}`;
  },
});

/** Shows what was submitted, with an undo button and a link to the calls. */
export function showSubmitted(
  { text, undoCommit: id, callsOf }: Flash,
  location: Location,
  queries: QueryClient,
): void {
  const undo = async (): Promise<void> => {
    if (id === undefined) return;
    try {
      await call(actionsEndpoints.undo, { params: { id } });
      toast({ text: 'Undone. The calendar is as it was before.' });
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'the calendar', 'undone') });
    }
    void queries.invalidateQueries({ queryKey: ['slots', location] });
  };
  toast({
    text,
    takesFocus: true,
    ...(id === undefined
      ? {}
      : {
          action: {
            label: 'Undo',
            run: () => void undo(),
            whyNot: callsOf && whyNotUndo(id, location, callsOf.date),
          },
        }),
    ...(callsOf ? { next: { label: 'Calls to make', run: () => navigate({ to: '/calls', search: callsOf }) } } : {}),
  });
}
