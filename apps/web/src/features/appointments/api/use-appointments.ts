import { useMutation, useQueryClient } from '@tanstack/react-query';
import { appointmentsEndpoints, type AppointmentBody } from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';

/** Booking, changing and cancelling a session; the calendar's days are asked for anew afterwards. */
export function useAppointmentWrites() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['slots'] });
  const create = useMutation({
    mutationFn: (body: AppointmentBody) => call(appointmentsEndpoints.create, { body }),
    onSettled,
  });
  const update = useMutation({
    mutationFn: ({ key, body }: { key: string; body: AppointmentBody }) =>
      call(appointmentsEndpoints.update, { params: { key }, body }),
    onSettled,
  });
  const cancel = useMutation({
    mutationFn: ({ key, familyTold, version }: { key: string; familyTold: boolean; version: number | null }) =>
      call(appointmentsEndpoints.cancel, {
        params: { key },
        body: { family_told: familyTold, ...(version === null ? {} : { version }) },
      }),
    onSettled,
  });
  return { create, update, cancel };
}
