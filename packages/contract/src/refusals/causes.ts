import { NOTHING_CHANGED, NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Refusals about why time is lost. */
export const CAUSE_REFUSALS = {
  'no-such-cause': {
    code: 'invalid',
    words: () => `cause: there is no such cause. ${NOTHING_SAVED} Load the page again and choose one of the list.`,
  },
  'cause-exists': {
    code: 'conflict',
    words: (label: string) =>
      `There is a cause “${label}” already. ${NOTHING_SAVED} Change that one, or use another name.`,
  },
  'too-many-causes': {
    code: 'invalid',
    words: (most: number) =>
      `There are ${most} causes already, which is the most. ${NOTHING_SAVED} Reword one that is no longer used.`,
  },
  'cause-unknown': {
    code: 'not-found',
    words: () => `There is no such cause. ${NOTHING_CHANGED} Load the page again.`,
  },
  'nothing-lost': {
    code: 'not-found',
    words: () => `This absence or cancellation is no longer recorded. ${NOTHING_CHANGED} Load the page again.`,
  },
} as const satisfies RefusalTable;
