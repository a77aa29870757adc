import { byCode, NOTHING_CHANGED } from './table.ts';

/** Refusals of a commit, and of undoing a commit. */
export const COMMIT_REFUSALS = byCode({
  'not-found': {
    'no-such-commit': () => 'These submitted changes were not found. Load the list again.',
  },
  conflict: {
    'undo-blocked': () =>
      `These changes cannot be undone, because later changes depend on them. ${NOTHING_CHANGED} Change the listed sessions one by one.`,
    'therapist-left': (name = 'A therapist') => `${name} is no longer with the clinic. Nothing was changed.`,
  },
  'bad-request': {
    'request-key-length': () => 'The Idempotency-Key must have 1 to 200 characters. Nothing was changed.',
  },
});
