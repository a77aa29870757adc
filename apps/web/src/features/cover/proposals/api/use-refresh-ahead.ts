import { proposalsEndpoints } from '@clinic/contract';
import { call } from '../../../../shared/api/client.ts';
import { useAhead } from '../../../../shared/api/use-ahead.ts';
import type { ProposalState } from '../model.ts';
import { refreshAheadBody } from '../requests.ts';

/** Has the server solve the day with the selected pins, so that Refresh finds the options ready. */
export function useRefreshAhead(state: ProposalState, busy: boolean): void {
  const body = state.mode === 'refresh' ? refreshAheadBody(state) : null;
  useAhead(JSON.stringify(body), (signal) =>
    busy || !body || body.refreshSelections.length === 0
      ? null
      : call(proposalsEndpoints.refreshAhead, { body, signal, on401: 'throw' }),
  );
}
