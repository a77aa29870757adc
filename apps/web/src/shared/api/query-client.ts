import { QueryClient, notifyManager, type QueryFilters, type QueryKey } from '@tanstack/react-query';
import { ApiError, NotSignedInError } from './client.ts';

/**
 * Retries once after a lost connection or when the server is busy. After any other error, the same request would fail
 * again.
 */
const worthAnotherTry = (count: number, error: Error): boolean =>
  count < 1 && !(error instanceof NotSignedInError) && !(error instanceof ApiError && error.status !== 503);

// By default, a reply that has arrived waits for a timer before it is rendered.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: worthAnotherTry,
      retryDelay: 400,
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      // Requests start even without a connection, so that the user sees a failure instead of waiting. Failed requests
      // are repeated once the connection is back.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Loads these queries again. Their requests under way are sent again too, since the replies may be out of date.
 * TanStack Query does this only for a query that already has data: without data, the reply to the first request would
 * stay on the screen although the data has changed since.
 */
export function reload(filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll(filters))
    if (query.state.data === undefined && query.state.fetchStatus !== 'idle') void query.cancel({ silent: true });
  void queryClient.invalidateQueries(filters);
}

/**
 * Waits for the reply to a write and shows it in place of the query's data. If the query was loaded since the write was
 * sent, or is being loaded now, no one knows which of the two is older. It is then loaded once more.
 */
export async function showReply<Reply>(queryKey: QueryKey, write: Promise<Reply>): Promise<Reply> {
  const loads = (): number => queryClient.getQueryState(queryKey)?.dataUpdateCount ?? 0;
  const before = loads();
  const reply = await write;
  const only = { queryKey, exact: true };
  const isSure = loads() === before && queryClient.isFetching(only) === 0;
  queryClient.setQueryData<unknown>(queryKey, reply);
  if (!isSure) void queryClient.invalidateQueries({ ...only, refetchType: 'all' });
  return reply;
}

/** Query keys, arranged so that live events can invalidate them in groups. */
export const queryKeys = {
  session: ['session'] as const,
  slots: (location: string, date: string | null) => ['slots', location, date ?? ''] as const,
  /** The options that wait until their day is shown again. */
  arrived: ['arrived'] as const,
  hours: (place: string, date: string | null) => ['hours', place, date ?? ''] as const,
  supervision: (place: string, date: string | null) => ['supervision', place, date ?? ''] as const,
  authorizations: (place: string, date: string | null) => ['authorizations', place, date ?? ''] as const,
  care: (place: string, date: string | null) => ['care', place, date ?? ''] as const,
  rules: ['rules'] as const,
  payers: ['payers'] as const,
  today: (location: string, date: string | null) => ['today', location, date ?? ''] as const,
  /** What is open on the days of a week, at every location. */
  week: (what: 'well' | 'calls', from: string) => ['week', what, from] as const,
  calls: (location: string, date: string | null) => ['calls', location, date ?? ''] as const,
  plansB: (location: string, date: string, lines: string) => ['calls', location, date, 'plan-b', lines] as const,
  daySheet: (location: string, date: string | null) => ['calls', location, date ?? '', 'day-sheet'] as const,
  presence: ['presence'] as const,
  callCount: (location: string, date: string | null) => ['call-count', location, date ?? ''] as const,
  commits: (location: string, date: string | null) => ['commits', location, date ?? ''] as const,
  therapists: ['therapists'] as const,
  clients: ['clients'] as const,
  reportedAbsences: (location: string) => ['reported-absences', location] as const,
  accounts: ['accounts'] as const,
  causes: ['causes'] as const,
  report: ['report'] as const,
  invitations: ['invitations'] as const,
  lastExport: ['last-export'] as const,
  folderImport: ['folder-import'] as const,
  differences: ['differences'] as const,
  ownDays: ['own-days'] as const,
  ownSessions: ['own-sessions'] as const,
  ownFactor: ['own-factor'] as const,
  ownPasskeys: ['own-passkeys'] as const,
  audit: ['audit'] as const,
  programs: ['programs'] as const,
  webhooks: ['webhooks'] as const,
};
