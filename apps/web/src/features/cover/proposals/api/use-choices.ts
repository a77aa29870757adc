import { useQuery } from '@tanstack/react-query';
import { proposalsEndpoints, type ProposalMetadata } from '@clinic/contract';
import { call } from '../../../../shared/api/client.ts';
import type { CellAddress } from './use-explanation.ts';

/** Who else could take a cell's session. Loaded once, since the list never changes within a revision. */
export function useChoices({ proposal, revision }: ProposalMetadata, cell: CellAddress) {
  const { date, client, option, slot } = cell;
  return useQuery({
    queryKey: ['choices', proposal, revision, date, client, option, slot],
    queryFn: ({ signal }) =>
      call(proposalsEndpoints.choices, {
        signal,
        body: { proposal, revision, date, client, option, time_slot: slot },
      }),
    staleTime: Infinity,
  });
}
