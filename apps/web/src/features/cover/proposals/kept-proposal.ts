import type { Location } from '@clinic/domain';
import { readDraft, writeDraft } from '../../../shared/session/drafts.ts';
import type { ProposalState } from './model.ts';

/**
 * The open options and the choices made in them. They survive the end of a login session (AUTH-05). Only one modal is
 * open at a time.
 */
const DRAFT = 'proposal';

export const keepProposal = (location: Location, state: ProposalState): void => writeDraft(DRAFT, { location, state });

/** The options kept for a day at a location; null when there are none. */
export const keptProposal = (location: Location, date: string): ProposalState | null => keptFor(DRAFT, location, date);

export const forgetProposal = (): void => writeDraft(DRAFT, null);

/**
 * The choices in options that were closed without submitting, kept so that a look at the calendar does not lose them.
 */
const MIX = 'mix';

export const keepMix = (location: Location, state: ProposalState): void =>
  writeDraft(MIX, { location, state: { ...state, refreshed: false } });

/** The choices kept for a day, even if the day has changed since; null if there are none. */
export const keptMix = (location: Location, date: string): ProposalState | null => keptFor(MIX, location, date);

export const forgetMix = (): void => writeDraft(MIX, null);

function keptFor(key: string, location: Location, date: string): ProposalState | null {
  const kept = readDraft<{ location: string; state: ProposalState }>(key);
  return kept?.location === location && kept.state.dates.includes(date) ? kept.state : null;
}
