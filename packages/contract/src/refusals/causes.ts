import { NOTHING_CHANGED, NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Refusals about the causes of lost time. */
export const CAUSE_REFUSALS = {
  'no-such-cause': {
    code: 'invalid',
    words: () => `cause: there is no such cause. ${NOTHING_SAVED} Load the page again and choose one from the list.`,
  },
  'cause-exists': {
    code: 'conflict',
    words: (label: string) => `A cause named “${label}” already exists. ${NOTHING_SAVED} Edit it, or use another name.`,
  },
  'too-many-causes': {
    code: 'invalid',
    words: (most: number) =>
      `You already have ${most} causes, the maximum. ${NOTHING_SAVED} Rename a cause that you no longer use.`,
  },
  'cause-unknown': {
    code: 'not-found',
    words: () => `This cause no longer exists. ${NOTHING_CHANGED} Load the page again.`,
  },
  'nothing-lost': {
    code: 'not-found',
    words: () => `This absence or cancellation is no longer recorded. ${NOTHING_CHANGED} Load the page again.`,
  },
} as const satisfies RefusalTable;
