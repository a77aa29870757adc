import { shortDate, type Clash } from '@clinic/domain';
import { metadataDetails } from '../../../shared/api/whole-replies.ts';
import { clashesOf, conflictAbout } from './mix.ts';
import type { ProposalState } from './model.ts';
import { cellView, datesOf } from './table.ts';

/** The clashes between the choices, by date. */
export function allClashes(state: ProposalState): Record<string, Clash[]> {
  const { claims } = metadataDetails(state.reply.metadata);
  return Object.fromEntries(state.dates.map((date) => [date, clashesOf(claims[date], state.choices[date])]));
}

/** Why the choices cannot be submitted, in words; null when they can be. */
export function whyNotSubmit(state: ProposalState, clashes: Readonly<Record<string, readonly Clash[]>>): string | null {
  const dates = datesOf(state.reply.data);
  for (const date of dates) {
    const n = clashes[date]?.length ?? 0;
    if (n === 0) continue;
    const where = dates.length > 1 ? ` on ${shortDate(date)}` : '';
    return `${n} ${n === 1 ? 'clash' : 'clashes'}${where} to fix first`;
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
