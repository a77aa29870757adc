import { byCode, NOTHING_SAVED } from './table.ts';

/** Refusals of what other programs ask, and of how they are set up. */
export const RECORD_REFUSALS = byCode({
  'bad-request': {
    'search-value': (parameter: string, allowed: string) => `${parameter}: this must be ${allowed}.`,
    'search-unknown': (parameters: string) =>
      `This search does not know: ${parameters}. Leave it out, or ask without “Prefer: handling=strict”.`,
    'search-modifier': (parameter: string) => `${parameter}: this server knows no modifiers.`,
    'search-needs': (parameter: string) => `This search needs ${parameter}.`,
    'changes-position': () => 'since: this is not a position from this server. Ask without it for a new one.',
  },
  'not-found': {
    'no-such-resource': () => 'There is no such resource, or it is at a location that you may not read.',
  },
  invalid: {
    'key-unreadable': () => `keys: this is not a JWK or a JWK set. ${NOTHING_SAVED}`,
    'key-private': () =>
      `keys: this is a private key. ${NOTHING_SAVED} It must never leave its program: make a new pair there, and paste only the public key.`,
    'key-unfit': () => `keys: each key must be RSA with at least 2048 bits, or on the curve P-384. ${NOTHING_SAVED}`,
    'key-count': (most: number) => `keys: 1 to ${most} keys are needed. ${NOTHING_SAVED}`,
    'webhook-address': () =>
      `url: an address must begin with https://, or with http:// on this machine, and hold no password. ${NOTHING_SAVED}`,
  },
});
