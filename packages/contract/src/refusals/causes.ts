import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

/** Refusals about the causes of lost time. */
export const CAUSE_REFUSALS = byCode({
  invalid: {
    'no-such-cause': () =>
      `cause: there is no such reason. ${NOTHING_SAVED} Load the page again and choose one from the list.`,
    'too-many-causes': (most: number) =>
      `You already have ${most} reasons, the maximum. ${NOTHING_SAVED} Rename a reason that you no longer use.`,
  },
  conflict: {
    'cause-exists': (label: string) =>
      `A reason named “${label}” already exists. ${NOTHING_SAVED} Edit it, or use another name.`,
  },
  'not-found': {
    'cause-unknown': () => `This reason no longer exists. ${NOTHING_CHANGED} Load the page again.`,
    'nothing-lost': () => `This absence or cancellation is no longer recorded. ${NOTHING_CHANGED} Load the page again.`,
  },
});
