import { useQuery } from '@tanstack/react-query';
import { historyEndpoints } from '@clinic/contract';
import { queryOf } from './query-of.ts';

/**
 * What happened to a session and, if it is covered, who decided on the cover and who has been told. Loaded each time
 * the history is shown, because calls change the history without changing the day.
 */
export const useSessionHistory = (key: string, enabled = true) =>
  useQuery({
    ...queryOf(['history', key], historyEndpoints.sessionHistory, { params: { key } }),
    enabled,
    staleTime: 0,
  });
