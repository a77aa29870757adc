import type { CallLine } from '@clinic/contract';

/** A family's line with nothing in it. */
export const lineOf = (id: string): CallLine => ({
  kind: 'client',
  id,
  name: id,
  call: 'family',
  version: '',
  first: '08:00',
  urgent: false,
  here: false,
  say: [],
  after: [],
  again: null,
  sessions: [],
  waits_for: [],
  ring_by: null,
  answers: [],
  newest_result: '',
  contacts: [],
  message: null,
  seen_at: null,
  ringing: null,
});
