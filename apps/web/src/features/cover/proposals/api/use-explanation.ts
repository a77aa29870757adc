import { useQuery } from '@tanstack/react-query';
import { proposalsEndpoints, type ProposalMetadata } from '@clinic/contract';
import { queryOf } from '../../../../shared/api/query-of.ts';

export interface CellAddress {
  date: string;
  client: string;
  option: string;
  slot: string;
}

/** A cell, for the server. What it says of one is loaded once: it never changes within a revision. */
const about = ({ proposal, revision }: ProposalMetadata, { date, client, option, slot }: CellAddress) => ({
  body: { proposal, revision, date, client, option, time_slot: slot },
});

/** The reasons why a cell has its therapist, or no therapist. */
export function useExplanation(metadata: ProposalMetadata, cell: CellAddress) {
  const asked = about(metadata, cell);
  return useQuery({ ...queryOf(['explanation', asked.body], proposalsEndpoints.explain, asked), staleTime: Infinity });
}

/** Who else could take a cell's session. */
export function useChoices(metadata: ProposalMetadata, cell: CellAddress) {
  const asked = about(metadata, cell);
  return useQuery({ ...queryOf(['choices', asked.body], proposalsEndpoints.choices, asked), staleTime: Infinity });
}
