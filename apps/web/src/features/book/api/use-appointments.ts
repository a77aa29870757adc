import { useEffect, useState } from 'react';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import {
  appointmentsEndpoints,
  seriesEndpoints,
  type LossBody,
  type SeriesPreview,
  type SeriesReply,
} from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { undoBooking } from '../../../shared/edits/undo-booking.ts';
import { toast } from '../../../shared/ui/toast.tsx';
import { whenWords, type AppointmentBody, type Scope } from '../model.ts';
import type { SeriesBody } from '../weekly.ts';

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
    onSuccess: ([made], body) => {
      const what = `${body.client}’s session on ${whenWords(body)}`;
      toast({ text: 'The session is booked.', ...undoBooking(what, [made?.key], 'one') });
    },
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
  const repeat = useMutation({
    mutationFn: (body: SeriesBody) => {
      const version = queries.getQueryData<SeriesPreview>(previewKey(JSON.stringify(body)))?.version;
      return call(seriesEndpoints.book, { body: { ...body, ...(version === undefined ? {} : { version }) } });
    },
    onSuccess: ({ keys, sessions }, { client }) => {
      const what = `${client}’s ${sessions} weekly sessions`;
      toast({ text: 'The weekly sessions are booked.', ...undoBooking(what, keys, 'following') });
    },
    onSettled: () => Promise.all([onSettled(), queries.invalidateQueries({ queryKey: previewKey() })]),
  });
  const all = [create, update, cancel, repeat];
  return {
    create,
    update,
    cancel,
    repeat,
    busy: all.some((write) => write.isPending),
    error: all.find((write) => write.error)?.error ?? null,
    reset: () => all.forEach((write) => write.reset()),
  };
}

const previewKey = (...body: string[]): string[] => ['series-preview', ...body];

/** How long the form rests before the dates of its series are looked up. */
const REST_MS = 300;

/** The dates of a series, looked up again when the form has not changed for a moment. */
export function usePreview(body: SeriesBody | null): UseQueryResult<SeriesPreview> {
  const text = body === null ? null : JSON.stringify(body);
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    ...queryOf(previewKey(settled ?? ''), seriesEndpoints.preview, body && settled === text ? { body } : null),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The later sessions in a session's weekly series, loaded each time the dialog opens. Undefined for a new session. */
export function useSeries(key: string | null): SeriesReply | undefined {
  const query = useQuery({
    ...queryOf(['series', key], appointmentsEndpoints.series, key === null ? null : { params: { key } }),
    staleTime: 0,
    gcTime: 0,
  });
  return query.data;
}
