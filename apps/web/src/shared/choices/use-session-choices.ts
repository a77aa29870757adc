import { useQuery } from '@tanstack/react-query';
import { proposalsEndpoints, type BodyOf, type SessionChoicesBody } from '@clinic/contract';
import { queryOf } from '../api/query-of.ts';

/** The ids of a session and of the therapist chosen for it on the calendar. */
export type ChosenOne = NonNullable<BodyOf<typeof proposalsEndpoints.propose>['choose']>;

/** Who else could take a session that is booked or about to be. Loads nothing when `session` is null. */
export const useSessionChoices = (session: SessionChoicesBody | null) =>
  useQuery({
    ...queryOf(['choices', session], proposalsEndpoints.sessionChoices, session && { body: session }),
    // The choices are never cached, because the calendar may change at any moment.
    staleTime: 0,
    gcTime: 0,
  });
