import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

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
export const CALL_REFUSALS = byCode({
  'stale-version': {
    'call-changed': (name: string) =>
      `What ${name} must be told has just changed. ${NOTHING_SAVED} Load the list again and tell them the new version.`,
    'told-already': (name: string, by: Teller) => `${toldBy(name, by)} ${NOTHING_SAVED}`,
    'no-after-told': (name: string, by: Teller) =>
      `${toldBy(name, by)} ${NOTHING_SAVED} If they said no, press “Not told” beside their name, then “Said no”.`,
    'no-meanwhile': (name: string, { by, own, byPage }: Teller) => {
      const no = byPage
        ? `${name} has said no on their own page.`
        : `${own ? 'You have' : `${by} has`} recorded that ${name} said no.`;
      return `${no} ${NOTHING_SAVED} If that has changed since, record the result again.`;
    },
    'call-undone': (name: string) =>
      `There is no longer anything to tell ${name}: the change was undone, the day sheet was sent, or its time has passed. ${NOTHING_SAVED} If you have just told them, call them again.`,
    'not-marked-told': (name: string) =>
      `There is no “Told” of ${name} to take back. ${NOTHING_CHANGED} Load the list again.`,
    'told-by-sheet': (name: string) =>
      `There is no “Told” of ${name} to take back, because the day sheet has told them since. ${NOTHING_CHANGED} Load the list again.`,
    'told-again': (name: string, by: string) =>
      `${by} has recorded since then that ${name} was told again. ${NOTHING_CHANGED} Load the list again.`,
    'own-change-changed': () =>
      `This change is different from the one you saw. ${NOTHING_SAVED} Load your day again, then answer.`,
    'own-change-told': () =>
      `It is already recorded that you were told of this change. ${NOTHING_SAVED} If you cannot come, call the clinic.`,
  },
  invalid: {
    'sending-off': () =>
      `Sending is off: email and text messages are not set up. ${NOTHING_SAVED} Call people instead, or ask an administrator.`,
    'no-to-nothing': (name: string) =>
      `This call no longer asks ${name} to take that session. ${NOTHING_SAVED} Load the list again.`,
    'no-ring-again': (name: string) =>
      `Only a family can be promised a call by a time, with “Told”, and only about a session without a therapist an hour or more after that time. This does not hold for ${name}. ${NOTHING_SAVED} Load the list again.`,
    'no-until-too-early': (name: string, first: string) =>
      `The changes for ${name} start at ${first}. ${NOTHING_SAVED} Enter a later time.`,
    'no-of-one-date': () => `A “no” is given for one date at a time. ${NOTHING_SAVED} Open each date’s list.`,
    'call-of-both': () => `A call goes to one therapist or one client’s family. ${NOTHING_SAVED}`,
  },
  'not-found': {
    'nobody-to-call': () => `This person is not on this day’s call list. ${NOTHING_SAVED} Load the list again.`,
    'no-such-no': () => `This “no” was already taken back. ${NOTHING_SAVED} Load the list again.`,
  },
  conflict: {
    'waits-for-yes': (name: string, asked: string) =>
      `${asked} not said yes yet, and what ${name} would hear depends on it. ${NOTHING_SAVED} Ask first, or record the call all the same.`,
    'rung-by-another': (by: string, name: string) =>
      `${by} is ringing ${name} now. ${NOTHING_SAVED} Ring the next person, or take over this call.`,
  },
});
