import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callsEndpoints, proposalsEndpoints, type ProposalReply, type ReplyOf } from '@clinic/contract';
import { isLocation, type IsoDate, type Location } from '@clinic/domain';
import { call } from '../../../../shared/api/client.ts';
import { queryOf } from '../../../../shared/api/query-of.ts';
import { queryKeys } from '../../../../shared/api/query-client.ts';
import { wholeProposal } from '../../../../shared/api/whole-proposal.ts';
import { useAfterPaint } from '../../../../shared/ui/use-after-paint.ts';
import type { Keep } from '../../keep.ts';
import { DEFAULT_OPTION } from '../model.ts';
import { datesOf, optionNames } from '../table.ts';

/** A line that the call list would have if an option were submitted. */
export type ForetoldLine = ReplyOf<typeof callsEndpoints.ofOption>['lines'][number];

/**
 * The call-list lines that a date would have if the proposal's first option were submitted. Reloads whenever the day
 * or its calls change.
 */
export function useOptionCalls(
  reply: ProposalReply | undefined,
  date: IsoDate,
): { lines: readonly ForetoldLine[] | undefined; failed: boolean } {
  const { proposal = '', revision = 0, location = '' } = reply?.metadata ?? {};
  const { data, isError } = useQuery({
    ...queryOf([...queryKeys.calls(location, date), 'option', proposal, revision], callsEndpoints.ofOption, {
      body: { proposal, revision, date, option: DEFAULT_OPTION },
    }),
    enabled: isLocation(location) && proposal !== '',
  });
  return { lines: data?.lines, failed: isError };
}

/** How many people each option makes one tell, by its name; empty while that is not known. */
export type ToTell = Readonly<Record<string, number>>;
const NOT_KNOWN: ToTell = {};

/** Counts whom a date's options make one tell. Reloads whenever the day, its calls or its options change. */
export function useToTell({ data: found, metadata }: ProposalReply, date: IsoDate | null): ToTell {
  const { proposal = '', revision = 0, location = '' } = metadata;
  const options = date === null ? [] : optionNames(found, date);
  // The options are painted first.
  const painted = useAfterPaint(true, false);
  const enabled = painted && options.length > 0 && isLocation(location) && proposal !== '';
  const { data } = useQuery({
    ...queryOf(
      [...queryKeys.calls(location, date), 'options', proposal, revision, options.length],
      proposalsEndpoints.toTell,
      date && { body: { proposal, revision, date }, background: true },
    ),
    enabled,
  });
  return data?.options ?? NOT_KNOWN;
}

const otherKey = (proposal: string): readonly string[] => ['other-way', proposal];

/**
 * Finds options for the same dates the other way: if the options in `reply` keep what people were told, these need not,
 * and vice versa.
 */
export function useOtherWay(
  reply: ProposalReply,
  location: Location,
  wanted: boolean,
  keep: Keep,
): { reply: ProposalReply | undefined; failed: boolean; keepThis: () => void } {
  const queries = useQueryClient();
  const { proposal } = reply.metadata;
  const { data, isError } = useQuery({
    queryKey: otherKey(proposal),
    queryFn: async ({ signal }) => {
      const dates = datesOf(reply.data);
      return wholeProposal(await call(proposalsEndpoints.propose, { body: { location, dates, keep }, signal }));
    },
    enabled: wanted,
    staleTime: Infinity,
    retry: false,
  });
  return {
    reply: data,
    failed: isError,
    /** Caches the options in `reply`, so that going back to them needs no new solve. */
    keepThis: () => {
      if (data) queries.setQueryData(otherKey(data.metadata.proposal), reply);
    },
  };
}
