import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { causesEndpoints, type LossBody } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryKeys } from '../api/query-client.ts';
import { queryOf } from '../api/query-of.ts';

/** All causes of lost time, retired ones last. */
export const causesQuery = queryOf(queryKeys.causes, causesEndpoints.listCauses, {});
export const useCauses = () => useQuery(causesQuery);

/** Records, after the fact, why someone was away or a session was lost. */
export function useSayWhy() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, key, loss }: { kind: 'absence' | 'session'; key: string; loss: LossBody }) =>
      call(kind === 'absence' ? causesEndpoints.sayAbsence : causesEndpoints.saySession, {
        params: { key },
        body: loss,
      }),
    onSettled: () => Promise.all(['today', 'slots'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}
