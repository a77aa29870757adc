import { useQuery } from '@tanstack/react-query';
import {
  actionsEndpoints,
  standingEndpoints,
  warmEndpoints,
  type BodyOf,
  type StandingBody,
  type StandingCommit,
  type WarmReply,
} from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { applyEvent } from '../../../shared/api/live-events.ts';

/** The options for who takes a therapist's sessions. They are made once, and again only when somebody asks. */
export const useStanding = (body: StandingBody | null) =>
  useQuery({
    queryKey: ['standing', body],
    queryFn: ({ signal }) => {
      if (!body) throw new Error('nothing was asked');
      return call(standingEndpoints.offerReplacement, { body, signal });
    },
    enabled: body !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Sessions before the leave that the new people of a choice join; asks nothing while `times` is 0. */
export const useMeetings = (proposal: string, choice: Readonly<Record<string, string>>, times: number) =>
  useQuery({
    queryKey: ['meetings', proposal, choice, times],
    queryFn: ({ signal }): Promise<WarmReply> =>
      call(warmEndpoints.planMeetings, { body: { proposal, choice: { ...choice }, times }, signal }),
    enabled: times > 0,
    staleTime: 0,
  });

export async function submitStanding(
  location: Location,
  body: BodyOf<typeof standingEndpoints.commit>,
  dates: string[],
): Promise<StandingCommit> {
  const done = await call(standingEndpoints.commit, { body });
  applyEvent({ kind: 'commit', location, dates });
  return done;
}

export async function undoStanding(commit: string): Promise<void> {
  const undone = await call(actionsEndpoints.undo, { params: { id: commit } });
  applyEvent({ kind: 'undo', location: undone.location, dates: undone.dates });
}
