import { useEffect, useEffectEvent } from 'react';
import { proposalsEndpoints, type ProposalReply } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { call } from '../../../../shared/api/client.ts';
import { metadataDetails, wholeProposal } from '../../../../shared/api/whole-proposal.ts';
import { datesOf } from '../table.ts';
import { isFinding, type ProposalAction, type ProposalState } from '../model.ts';

/**
 * While only the first options are shown, requests all options; when the coordinator asks for it, looks longer for those
 * that were not found in time. Stops while choices are being sent.
 */
export function useMoreOptions(
  state: ProposalState,
  onFound: (action: Extract<ProposalAction, { type: 'more' }>) => void,
  location: Location,
  busy: boolean,
): void {
  const { metadata } = state.reply;
  const { versions } = metadataDetails(metadata);
  const told = Object.values(metadata.told ?? {});
  const keep = told.some(({ kept }) => !kept) ? 'nothing' : 'told';
  const dates = datesOf(versions).join();
  const found = useEffectEvent((reply: ProposalReply | null) => onFound({ type: 'more', reply }));
  const wanted = isFinding(state) && !busy;
  const waitFor = state.more === 'longer' ? 'longer' : 'rest';
  useEffect(() => {
    if (!wanted) return undefined;
    const stop = new AbortController();
    const body = { location, dates: dates.split(','), keep, wait_for: waitFor } as const;
    const show = (reply: ProposalReply | null): void => {
      if (!stop.signal.aborted) found(reply);
    };
    call(proposalsEndpoints.propose, { body, signal: stop.signal, on401: 'throw' })
      .then((reply) => wholeProposal(reply))
      .then(show, () => show(null));
    return () => stop.abort();
  }, [wanted, location, dates, keep, waitFor]);
}
