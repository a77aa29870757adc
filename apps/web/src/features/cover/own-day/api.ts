import { useQuery } from '@tanstack/react-query';
import { ownDayEndpoints, type OwnAnswer } from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';

/** The therapist's week around a date (null: today), and everything that has changed for them from today on. */
export const useOwnWeek = (date: string | null) =>
  useQuery({
    ...queryOf([...queryKeys.ownDays, date], ownDayEndpoints.ownWeek, { query: date === null ? {} : { date } }),
    // Polls every half minute: the server sends events only about whole locations, so a therapist's page receives none.
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });

export const loadAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: queryKeys.ownDays });

export async function sendAnswer(body: OwnAnswer): Promise<void> {
  await call(ownDayEndpoints.answerOwnChange, { body });
  await loadAgain();
}
