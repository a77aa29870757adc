import type { ProposalReply } from '@clinic/contract';
import { shortDate, type MixFacts, type MixFault } from '@clinic/domain';
import { metadataDetails } from '../../../shared/api/whole-proposal.ts';
import { conflictAbout } from './mix.ts';
import type { ProposalState } from './model.ts';
import { cellView, datesOf } from './table.ts';

/** The facts in a reply that are needed to check a mix. */
export function factsOf(metadata: ProposalReply['metadata']): MixFacts {
  const { claims, hours } = metadataDetails(metadata);
  return { claims, hours };
}

/** Why the choices cannot be submitted, in words; null when they can be. */
export function whyNotSubmit(state: ProposalState, faults: readonly MixFault[]): string | null {
  const dates = datesOf(state.reply.data);
  for (const date of dates) {
    const here = faults.filter((fault) => fault.date === date);
    const n = here.length;
    if (n === 0) continue;
    const where = dates.length > 1 ? ` on ${shortDate(date)}` : '';
    const [one, many] = here.every(({ kind }) => kind === 'clash') ? ['clash', 'clashes'] : ['problem', 'problems'];
    return `${n} ${n === 1 ? one : many}${where} to fix first`;
  }
  const stale = dates.reduce((sum, date) => sum + staleClients(state, date).length, 0);
  if (stale === 0) return null;
  return stale === 1 ? '1 choice no longer fits the calendar' : `${stale} choices no longer fit the calendar`;
}

/** The clients whose choice on a date no longer fits the calendar, as reported by the server. */
function staleClients(state: ProposalState, date: string): string[] {
  return Object.entries(state.choices[date] ?? {})
    .filter(([client, option]) =>
      Object.entries(state.reply.data[date]?.[client]?.[option] ?? {}).some(([slot, cell]) =>
        state.conflicts.some((c) => conflictAbout(c, date, client, cellView(slot, cell))),
      ),
    )
    .map(([client]) => client);
}
