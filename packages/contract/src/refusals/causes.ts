import { NOTHING_CHANGED, NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Refusals about the causes of lost time. */
export const CAUSE_REFUSALS = {
  'no-such-cause': {
    code: 'invalid',
    words: () => `cause: there is no such reason. ${NOTHING_SAVED} Load the page again and choose one from the list.`,
  },
  'cause-exists': {
    code: 'conflict',
    words: (label: string) =>
      `A reason named “${label}” already exists. ${NOTHING_SAVED} Edit it, or use another name.`,
  },
  'too-many-causes': {
    code: 'invalid',
    words: (most: number) =>
      `You already have ${most} reasons, the maximum. ${NOTHING_SAVED} Rename a reason that you no longer use.`,
  },
  'cause-unknown': {
    code: 'not-found',
    words: () => `This reason no longer exists. ${NOTHING_CHANGED} Load the page again.`,
  },
  'nothing-lost': {
    code: 'not-found',
    words: () => `This absence or cancellation is no longer recorded. ${NOTHING_CHANGED} Load the page again.`,
  },
} as const satisfies RefusalTable;
