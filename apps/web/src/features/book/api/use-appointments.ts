import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { appointmentsEndpoints, type LossBody, type SeriesReply } from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';
import type { AppointmentBody, Scope } from '../model.ts';

interface Cancelling {
  key: string;
  familyTold: boolean;
  loss: LossBody | undefined;
  version: number | null;
  scope: Scope;
}

/** Books, changes and cancels sessions, then reloads the calendar's days. */
export function useAppointmentWrites() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['slots'] });
  const create = useMutation({
    mutationFn: (body: AppointmentBody) => call(appointmentsEndpoints.create, { body }),
    onSettled,
  });
  const update = useMutation({
    mutationFn: ({ key, body, scope }: { key: string; body: AppointmentBody; scope: Scope }) =>
      call(appointmentsEndpoints.update, { params: { key }, body: { ...body, scope } }),
    onSettled,
  });
  const cancel = useMutation({
    mutationFn: (what: Cancelling) =>
      call(appointmentsEndpoints.cancel, {
        params: { key: what.key },
        body: {
          family_told: what.familyTold,
          ...(what.loss === undefined ? {} : { loss: what.loss }),
          scope: what.scope,
          ...(what.version === null ? {} : { version: what.version }),
        },
      }),
    onSettled,
  });
  return { create, update, cancel };
}

/** The later sessions in a session's weekly series, loaded each time the dialog opens. Undefined for a new session. */
export function useSeries(key: string | null): SeriesReply | undefined {
  const query = useQuery({
    queryKey: ['series', key],
    queryFn: ({ signal }) => call(appointmentsEndpoints.series, { params: { key: key ?? '' }, signal }),
    enabled: key !== null,
    staleTime: 0,
    gcTime: 0,
  });
  return query.data;
}
