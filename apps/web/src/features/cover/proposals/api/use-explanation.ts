import { useQuery } from '@tanstack/react-query';
import { proposalsEndpoints, type ProposalMetadata } from '@clinic/contract';
import { call } from '../../../../shared/api/client.ts';

export interface CellAddress {
  date: string;
  client: string;
  option: string;
  slot: string;
}

/** The reasons why a cell has its therapist, or no therapist. Loaded once: they never change within a revision. */
export function useExplanation(metadata: ProposalMetadata, cell: CellAddress) {
  const { proposal, revision } = metadata;
  const { date, client, option, slot } = cell;
  return useQuery({
    queryKey: ['explanation', proposal, revision, date, client, option, slot],
    queryFn: ({ signal }) =>
      call(proposalsEndpoints.explain, {
        signal,
        body: { proposal, revision, date, client, option, time_slot: slot },
      }),
    staleTime: Infinity,
  });
}
