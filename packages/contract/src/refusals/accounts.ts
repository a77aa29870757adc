import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

/** Why a password is too easy to guess. */
export type PasswordWeakness = 'too-few-characters' | 'common-words' | 'stolen';

const WEAKNESSES: Readonly<Record<PasswordWeakness, string>> = {
  'too-few-characters': 'it has too few different characters',
  'common-words': 'it contains little besides common words, names, or runs such as 1234',
  stolen: 'it is on the lists of stolen passwords',
};

export const ACCOUNT_REFUSALS = byCode({
  'not-found': {
    'no-such-account': (email: string) => `There is no account for ${email}.`,
    'invitation-ended': () =>
      'This invitation cannot be used: it was used before, has expired, or was replaced by a newer one. Ask an administrator for a new link.',
  },
  invalid: {
    'email-taken': (email: string) => `email: ${email} already has an account.`,
    'password-missing': () => 'password: a new account needs a password.',
    'password-length': (field: string, least: number, most: number) =>
      `${field}: a password needs ${least} to ${most} characters.`,
    'password-weak': (field: string, weakness: PasswordWeakness) =>
      `${field}: too easy to guess, because ${WEAKNESSES[weakness]}. Choose another, for example four unrelated words.`,
    'not-your-password': (field: string) => `${field}: this is not your password. ${NOTHING_CHANGED}`,
    'passkey-not-accepted': () => `This passkey was not accepted. ${NOTHING_CHANGED} Try again, or use another one.`,
    'passkey-timed-out': () => `This took too long, or was sent twice. ${NOTHING_CHANGED} Try again.`,
    'passkey-known': () => `This passkey is already saved. ${NOTHING_SAVED}`,
    'passkeys-not-here': () =>
      'Passkeys do not work at this address. Open the scheduler at the address that your administrator gave you, or use a password.',
    'too-many-passkeys': (most: number) =>
      `An account can have at most ${most} passkeys. ${NOTHING_SAVED} Remove one that you no longer use.`,
    'last-passkey': () =>
      `This passkey is your only way to log in. ${NOTHING_CHANGED} Set a password or add another passkey first.`,
    'code-not-right': () => `code: this is not the code that the app shows now. ${NOTHING_CHANGED} Try the next one.`,
    'second-factor-on': () => `An authenticator app is set up already. ${NOTHING_CHANGED} Remove it first.`,
    'second-factor-missing': () => `No authenticator app is being set up. ${NOTHING_CHANGED} Begin again.`,
    'confirmation-missing': (field: string) => `${field}: confirm with your password or a passkey. ${NOTHING_CHANGED}`,
    'last-administrator': () =>
      `This is the last administrator with access to all locations. Without one, no one could manage every account. ${NOTHING_SAVED} Give another administrator access to all locations first.`,
    'therapist-needs-invitation': () =>
      `role: therapists get their account by invitation. ${NOTHING_SAVED} Use “Invite a Therapist”.`,
    'viewer-needs-location': () => `locations: a viewer needs at least one location. ${NOTHING_SAVED} Choose some.`,
    'therapist-stays-therapist': () =>
      `role: an account cannot be changed to or from Therapist. ${NOTHING_CHANGED} Add a second account, or invite the therapist.`,
    'therapist-has-account': (name: string) =>
      `therapist: ${name} already has an account. ${NOTHING_CHANGED} Edit that account, for example to give it another password.`,
    'demo-has-ended': () =>
      `disabled: the demo has ended, and this account’s password may be public. ${NOTHING_CHANGED} Add an account instead.`,
    'invitation-email-off': () => `send_to: email is not set up. ${NOTHING_SAVED} Give them the link yourself.`,
    'not-their-email': (email: string, name: string) =>
      `send_to: ${name}’s profile does not list ${email}. ${NOTHING_SAVED} Correct the profile, or give them the link yourself.`,
  },
  forbidden: {
    'rights-changed': () => `Your account was changed while this was being saved. ${NOTHING_SAVED} Reload the page.`,
    'sign-on-only': () =>
      'Here, only administrators log in with a password or a passkey. Log in with your clinic’s account.',
    'second-factor-first': () =>
      'Your role needs a second factor. Set up an authenticator app in the account menu, or log in with a passkey.',
    'only-reads': () => `You can look at everything; changes are made by schedulers. ${NOTHING_CHANGED}`,
    'beyond-your-locations': () =>
      `You can manage accounts only at your own locations. ${NOTHING_CHANGED} Ask an administrator of the other locations.`,
  },
  'forbidden-location': {
    'needs-every-location': () =>
      `This concerns every location, and your account does not have access to all of them. ${NOTHING_CHANGED} Ask an administrator who does.`,
  },
});
