import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ProposalReply, StoredAbsence } from '@clinic/contract';
import { locationLabel, longDate, type IsoDate, type Location } from '@clinic/domain';
import { areStored } from '../cover/absences/saving.ts';
import { keptMix, keptProposal } from '../cover/proposals/kept-proposal.ts';
import type { ProposalState } from '../cover/proposals/model.ts';
import { useOptions } from '../cover/proposals/use-options.tsx';
import { useStillShown, type OptionsDay } from '../cover/use-still-shown.ts';
import { queryKeys } from '../../shared/api/query-client.ts';
import type { ChosenOne } from '../../shared/choices/use-session-choices.ts';
import { getPlace, navigate } from '../../shared/router/history.ts';
import { onlyReads } from '../../shared/session/manages-clinic.ts';
import { useSessionInfo } from '../../shared/session/session-info.ts';
import { toast } from '../../shared/ui/toast.tsx';
import type { Going } from './calendar-commands.ts';
import type { CalendarState } from './use-calendar-state.ts';

const CALENDAR = '/calendar';

export interface OptionsAsked {
  readonly choose?: ChosenOne | undefined;
}

interface CoverFlowInput {
  location: Location;
  date: IsoDate | null;
  stored: readonly StoredAbsence[];
  state: CalendarState;
  /** Set when the address asks to open the options at once, perhaps with a therapist chosen for a session. */
  openOptions: OptionsAsked | null;
  onOptionsOpened: () => void;
  onGo: (to: Going) => void;
  /** Called when the options are closed right after a refresh (SOL-18). */
  onRefreshed: () => void;
}

/**
 * Takes the coordinator from the absences to the options and back. Knows which options are open, or that nothing has to
 * change.
 */
export function useCoverFlow(input: CoverFlowInput) {
  const { location, date, stored, state, onRefreshed, onGo } = input;
  const [proposal, setProposal] = useState<{ reply: ProposalReply; kept: ProposalState | null } | null>(null);
  const [nothing, setNothing] = useState<'stored' | 'none' | null>(null);
  const isShown = useStillShown(location, date);
  const open = (reply: ProposalReply): void => {
    state.setPanel(false);
    setProposal({ reply, kept: null });
  };
  const later = useArrived(location, date, open);

  const show = (reply: ProposalReply, of: OptionsDay, saved = false): void => {
    // Options for a day that the coordinator has left do not open over the day that they look at now.
    if (!isShown(of)) return later.offer(reply, of, saved, onGo);
    if (Object.keys(reply.data).length > 0) open(reply);
    else setNothing(saved || stored.length > 0 ? 'stored' : 'none');
  };
  const options = useOptions(location, date, show);

  const [looked, setLooked] = useState(false);
  if (!looked && date !== null) {
    setLooked(true);
    const kept = keptProposal(location, date);
    if (kept) setProposal({ reply: kept.reply, kept });
  }

  /**
   * Opens the options that were closed, with the choices made in them; if the day has changed since, the options say
   * so. If there are none, finds new options.
   */
  const backToOptions = (): void => {
    if (proposal !== null) return; // The options that were open when the login session ended are open again.
    const mix = date === null ? null : keptMix(location, date);
    if (mix) {
      state.setPanel(false);
      setProposal({ reply: mix.reply, kept: mix });
    } else options.ask();
  };

  useAskAtOnce(input, (choose) => (choose ? options.ask(choose) : backToOptions()));

  /** Whether all selected absences are recorded. Options are based on recorded absences only. */
  const saved = areStored(state.entries, stored);

  return {
    options,
    backToOptions,
    /** Opens the options with a therapist chosen in the session form. */
    choosing: { ask: options.ask, busy: options.busy, unsaved: !saved },
    proposal,
    nothing,
    /** Opens the options, or the absences panel while selected absences are unsaved. */
    toOptions: (): void => {
      if (saved) backToOptions();
      else state.setPanel(true);
    },
    onSaved: (reply: ProposalReply, of: OptionsDay): void => {
      const longer = state.entries.find((entry) => entry.type === 'therapist' && entry.further);
      if (longer) void import('../leave/api.ts').then((leave) => leave.offerTakers(of.location, of.date, longer.name));
      if (isShown(of)) state.saved();
      else state.forget();
      show(reply, of, true);
    },
    closeNothing: (): void => {
      setNothing(null);
      state.setPanel(false);
      state.act({ do: 'clear' });
    },
    dropProposal: () => setProposal(null),
    closeProposal: (how: { refreshed: boolean; submitted: boolean }): void => {
      setProposal(null);
      // SOL-18: after a refresh without a commit, the page does not reload.
      if (how.refreshed && !how.submitted) onRefreshed();
      else {
        state.forget();
        window.location.reload();
      }
    },
  };
}

interface Arrived {
  readonly reply: ProposalReply;
  readonly of: OptionsDay;
  /** The address from which the coordinator was to go to that day. */
  readonly from: string;
}

/**
 * Options that arrived for a day that the coordinator has left. `offer` shows a message that leads to that day; once it
 * is shown, `open` is called with the options. They wait among the loaded data, since the coordinator may come back from
 * another page, and since a logout forgets them there.
 */
function useArrived(location: Location, date: IsoDate | null, open: (reply: ProposalReply) => void) {
  const queries = useQueryClient();
  const { data: arrived } = useQuery<Arrived | null>({ queryKey: queryKeys.arrived, queryFn: skipToken });
  useEffect(() => {
    if (!arrived || date === null) return;
    const isHere = arrived.of.location === location && arrived.of.date === date;
    // Someone who stayed because of unsaved edits, and then went to yet another day, no longer wants these options.
    if (isHere || getPlace().href !== arrived.from) queries.setQueryData(queryKeys.arrived, null);
    if (isHere) open(arrived.reply);
  });
  return {
    offer: (reply: ProposalReply, of: OptionsDay, saved: boolean, onGo: (to: Going) => void): void => {
      const any = Object.keys(reply.data).length > 0;
      const run = (): void => {
        queries.setQueryData(queryKeys.arrived, any ? { reply, of, from: getPlace().href } : null);
        if (getPlace().path === CALENDAR) onGo(of);
        else navigate({ to: CALENDAR, search: { ...of } });
      };
      toast({ text: arrivedWords(reply, of, saved), next: { label: any ? 'See options' : 'Go to this day', run } });
    },
  };
}

/** Tells a coordinator who has gone to another day that the options have arrived. */
function arrivedWords(reply: ProposalReply, of: OptionsDay, saved: boolean): string {
  const day = `${longDate(of.date)} at ${locationLabel(of.location)}`;
  const found = Object.keys(reply.data).length === 0 ? 'no session needs cover' : 'options are ready';
  return saved ? `The absences for ${day} are saved, and ${found}.` : `For ${day}, ${found}.`;
}

export type CoverFlow = ReturnType<typeof useCoverFlow>;

/** If the address asks to open the options, opens them once, as soon as the date is known. */
function useAskAtOnce(
  { openOptions, onOptionsOpened, date }: CoverFlowInput,
  ask: (choose: ChosenOne | undefined) => void,
): void {
  const asked = useRef(false);
  const account = useSessionInfo()?.account;
  useEffect(() => {
    if (!openOptions || asked.current || date === null || !account) return;
    asked.current = true;
    onOptionsOpened();
    if (!onlyReads(account)) ask(openOptions.choose);
  });
}
