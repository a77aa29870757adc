import { skipToken, useQuery } from '@tanstack/react-query';
import { proposalsEndpoints, type SessionChoicesBody } from '@clinic/contract';
import { call } from '../api/client.ts';

/** Who else could take a session on the calendar, or one about to be booked. Loads nothing when `session` is null. */
export const useSessionChoices = (session: SessionChoicesBody | null) =>
  useQuery({
    queryKey: ['choices', session],
    queryFn: session ? ({ signal }) => call(proposalsEndpoints.sessionChoices, { signal, body: session }) : skipToken,
    // Never cached, because the calendar may change at any moment.
    staleTime: 0,
    gcTime: 0,
  });
