import { NOTHING_CHANGED, NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Who recorded that a person was told, or said no. */
interface Teller {
  readonly by: string;
  /** Whether it was the account that is refused. */
  readonly own: boolean;
  /** Whether it was the therapist, on their own page. */
  readonly byPage: boolean;
}

const toldBy = (name: string, { by, own, byPage }: Teller): string =>
  byPage
    ? `${name} has already answered on their own page.`
    : `${own ? 'You have' : `${by} has`} already recorded that ${name} was told.`;

/** Refusals of requests from the call list. */
export const CALL_REFUSALS = {
  'call-changed': {
    code: 'stale-version',
    words: (name: string) =>
      `What ${name} must be told has just changed. ${NOTHING_SAVED} Load the list again and tell them the new version.`,
  },
  'told-already': {
    code: 'stale-version',
    words: (name: string, by: Teller) => `${toldBy(name, by)} ${NOTHING_SAVED}`,
  },
  'no-after-told': {
    code: 'stale-version',
    words: (name: string, by: Teller) =>
      `${toldBy(name, by)} ${NOTHING_SAVED} If they said no, press “Not told” beside their name, then “Said no”.`,
  },
  'no-meanwhile': {
    code: 'stale-version',
    words: (name: string, { by, own, byPage }: Teller) => {
      const no = byPage
        ? `${name} has said no on their own page.`
        : `${own ? 'You have' : `${by} has`} recorded that ${name} said no.`;
      return `${no} ${NOTHING_SAVED} If that has changed since, record the result again.`;
    },
  },
  'call-undone': {
    code: 'stale-version',
    words: (name: string) =>
      `There is no longer anything to tell ${name}: the change was undone, the day sheet was sent, or its time has passed. ${NOTHING_SAVED} If you have just told them, call them again.`,
  },
  'not-marked-told': {
    code: 'stale-version',
    words: (name: string) => `There is no “Told” of ${name} to take back. ${NOTHING_CHANGED} Load the list again.`,
  },
  'told-by-sheet': {
    code: 'stale-version',
    words: (name: string) =>
      `There is no “Told” of ${name} to take back, because the day sheet has told them since. ${NOTHING_CHANGED} Load the list again.`,
  },
  'told-again': {
    code: 'stale-version',
    words: (name: string, by: string) =>
      `${by} has recorded since then that ${name} was told again. ${NOTHING_CHANGED} Load the list again.`,
  },
  'sending-off': {
    code: 'invalid',
    words: () =>
      `Sending is off: email and text messages are not set up. ${NOTHING_SAVED} Call people instead, or ask an administrator.`,
  },
  'own-change-changed': {
    code: 'stale-version',
    words: () => `This change is different from the one you saw. ${NOTHING_SAVED} Load your day again, then answer.`,
  },
  'own-change-told': {
    code: 'stale-version',
    words: () =>
      `It is already recorded that you were told of this change. ${NOTHING_SAVED} If you cannot come, call the clinic.`,
  },
  'nobody-to-call': {
    code: 'not-found',
    words: () => `This person is not on this day’s call list. ${NOTHING_SAVED} Load the list again.`,
  },
  'no-to-nothing': {
    code: 'invalid',
    words: (name: string) =>
      `This call no longer asks ${name} to take that session. ${NOTHING_SAVED} Load the list again.`,
  },
  'no-ring-again': {
    code: 'invalid',
    words: (name: string) =>
      `Only a family can be promised a call by a time, with “Told”, and only about a session without a therapist an hour or more after that time. This does not hold for ${name}. ${NOTHING_SAVED} Load the list again.`,
  },
  'waits-for-yes': {
    code: 'conflict',
    words: (name: string, asked: string) =>
      `${asked} not said yes yet, and what ${name} would hear depends on it. ${NOTHING_SAVED} Ask first, or record the call all the same.`,
  },
  'no-until-too-early': {
    code: 'invalid',
    words: (name: string, first: string) =>
      `The changes for ${name} start at ${first}. ${NOTHING_SAVED} Enter a later time.`,
  },
  'no-of-one-date': {
    code: 'invalid',
    words: () => `A “no” is given for one date at a time. ${NOTHING_SAVED} Open each date’s list.`,
  },
  'no-such-no': {
    code: 'not-found',
    words: () => `This “no” was already taken back. ${NOTHING_SAVED} Load the list again.`,
  },
  'call-of-both': {
    code: 'invalid',
    words: () => `A call goes to one therapist or one client’s family. ${NOTHING_SAVED}`,
  },
  'rung-by-another': {
    code: 'conflict',
    words: (by: string, name: string) =>
      `${by} is ringing ${name} now. ${NOTHING_SAVED} Ring the next person, or take over this call.`,
  },
} as const satisfies RefusalTable;
