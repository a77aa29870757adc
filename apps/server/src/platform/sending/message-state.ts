import type { CallMessage } from '@clinic/contract';
import type { DroppedWhy } from '../../db/schema/calls.ts';
import { isoOf } from '../clock.ts';
import type { Way } from './sender.ts';

/** Why a message was dropped, in words for staff. */
const DROPPED: Readonly<Record<DroppedWhy, string>> = {
  told: 'They were told by phone.',
  page: 'They answered on their own page.',
  sheet: 'The day sheet was sent.',
  'said-no': 'They said no.',
  waits: 'A new plan is needed first.',
  promise: 'We promised to ring them.',
  ask: 'Someone else must say yes first.',
  changed: 'Their day changed again.',
  undone: 'The change was undone.',
  away: 'They are away at that time.',
  left: 'They have left the clinic.',
  over: 'The time of the change has passed.',
  newer: 'A newer message was released.',
  address: 'There is no longer an address for this message.',
  phone: 'They prefer to be called.',
  off: 'Sending in this way is off.',
  ended: 'The invitation has ended.',
};

/** The columns that show whether a message was sent, failed or was dropped. Times are timestamps from the database. */
export interface MessageState {
  readonly way: Way;
  readonly released_at: string;
  readonly sent_at: string | null;
  readonly failed_at: string | null;
  readonly fault: string | null;
  readonly dropped_at: string | null;
  readonly dropped_why: DroppedWhy | null;
}

export function presentMessage(row: MessageState): CallMessage {
  const { way, released_at, sent_at, failed_at, fault, dropped_at, dropped_why } = row;
  if (dropped_at !== null && dropped_why !== null)
    return { way, state: 'dropped', at: isoOf(dropped_at), fault: DROPPED[dropped_why] };
  const state = sent_at !== null ? 'sent' : failed_at !== null ? 'failed' : 'waiting';
  return { way, state, at: isoOf(sent_at ?? failed_at ?? released_at), fault };
}
