import { skipToken, useQuery } from '@tanstack/react-query';
import { proposalsEndpoints, type BodyOf, type SessionChoicesBody } from '@clinic/contract';
import { call } from '../api/client.ts';

/** The ids of a session and of the therapist chosen for it on the calendar. */
export type ChosenOne = NonNullable<BodyOf<typeof proposalsEndpoints.propose>['choose']>;

/** Who else could take a session that is booked or about to be. Loads nothing when `session` is null. */
export const useSessionChoices = (session: SessionChoicesBody | null) =>
  useQuery({
    queryKey: ['choices', session],
    queryFn: session ? ({ signal }) => call(proposalsEndpoints.sessionChoices, { signal, body: session }) : skipToken,
    // The choices are never cached, because the calendar may change at any moment.
    staleTime: 0,
    gcTime: 0,
  });
