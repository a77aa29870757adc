import { NOTHING_CHANGED, type RefusalTable } from './table.ts';

/** Refusals of a commit, and of undoing a commit. */
export const COMMIT_REFUSALS = {
  'no-such-commit': {
    code: 'not-found',
    words: () => 'These submitted changes were not found. Load the list again.',
  },
  'undo-blocked': {
    code: 'conflict',
    words: () =>
      `These changes cannot be undone, because later changes depend on them. ${NOTHING_CHANGED} Change the listed sessions one by one.`,
  },
  'request-key-length': {
    code: 'bad-request',
    words: () => 'The Idempotency-Key must have 1 to 200 characters. Nothing was changed.',
  },
  'therapist-left': {
    code: 'conflict',
    words: (name = 'A therapist') => `${name} is no longer with the clinic. Nothing was changed.`,
  },
} as const satisfies RefusalTable;
