import { useQuery } from '@tanstack/react-query';
import { actionsEndpoints, standingEndpoints, type StandingBody, type StandingCommit } from '@clinic/contract';
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

export async function submitStanding(
  location: Location,
  body: { readonly proposal: string; readonly choice: Record<string, string> },
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
