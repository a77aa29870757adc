import { createHash } from 'node:crypto';

/** What a record said from `at` on, in the chain of its states (the table `record_state`). Hashes are in hexadecimal. */
export interface RecordState {
  readonly kind: 'therapist' | 'client' | 'account' | 'location';
  readonly subject: string;
  readonly number: number;
  /** ISO 8601 in UTC, with microseconds, as it is hashed. */
  readonly at: string;
  /** JSON, as it is hashed. */
  readonly state: string;
  readonly prev: string;
  readonly hash: string;
}

const FIRST = '0'.repeat(64);

/** Does what the database's `record_state_hash` does; a test compares them. */
const stateHash = ({ kind, subject, number, at, state, prev }: Omit<RecordState, 'hash'>): string =>
  createHash('sha256')
    .update(Buffer.from(prev, 'hex'))
    .update([kind, subject, number, at, state].join('\n'))
    .digest('hex');

/**
 * What is wrong with chains of states; the states are ordered by record and number.
 * @param last the state before the first one, if these are not all
 */
export function stateFaults(states: readonly RecordState[], last?: RecordState): string[] {
  const faults: string[] = [];
  let before = last;
  for (const state of states) {
    const name = `${state.kind} ${state.subject}, state ${state.number}`;
    const follows = before?.kind === state.kind && before.subject === state.subject;
    if (state.number !== (follows && before ? before.number + 1 : 1)) faults.push(`${name}: the one before is missing`);
    if (state.prev !== (follows && before ? before.hash : FIRST))
      faults.push(`${name}: it does not follow the one before`);
    if (state.hash !== stateHash(state)) faults.push(`${name}: it was changed`);
    before = state;
  }
  return faults;
}
