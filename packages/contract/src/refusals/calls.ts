import { NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Refusals of requests from the call list. */
export const CALL_REFUSALS = {
  'call-changed': {
    code: 'stale-version',
    words: (name: string) =>
      `What ${name} must be told has just changed. ${NOTHING_SAVED} Load the list again and tell them the new version.`,
  },
  'call-settled': {
    code: 'stale-version',
    words: (name: string) =>
      `There is nothing left to tell ${name}: someone else told them, the change was undone, or its time has passed. ${NOTHING_SAVED}`,
  },
  'no-after-told': {
    code: 'stale-version',
    words: (name: string, by: string) =>
      `${by} has just recorded that ${name} was told. ${NOTHING_SAVED} If they said no, press “Not told” beside their name, then “Said no”.`,
  },
  'call-undone': {
    code: 'stale-version',
    words: (name: string) =>
      `There is no longer anything to tell ${name}: the change was undone, or its time has passed. ${NOTHING_SAVED} If you have just told them, call them again.`,
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
  'nobody-to-call': {
    code: 'not-found',
    words: () => `This person is not on this day’s call list. ${NOTHING_SAVED} Load the list again.`,
  },
  'no-to-nothing': {
    code: 'invalid',
    words: (name: string) =>
      `This call no longer asks ${name} to take that session. ${NOTHING_SAVED} Load the list again.`,
  },
  'no-until-too-early': {
    code: 'invalid',
    words: (name: string, first: string) =>
      `The changes for ${name} start at ${first}. ${NOTHING_SAVED} Enter a later time.`,
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
