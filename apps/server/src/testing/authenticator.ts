import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { CreateOptions, NewPasskey, SignedPasskey, SignOptions } from '@clinic/contract';

/** How a test's browser and its device behave. Tests of a guard set the field that the guard must refuse. */
export interface Behaviour {
  /** The origin of the page that requests a signature or a passkey. */
  readonly origin?: string;
  /** The host for which the device makes or uses the passkey, instead of the host in the options. */
  readonly rpId?: string;
  /** Whether the device has recognized the person. */
  readonly verified?: boolean;
  /** Whether someone has touched the device. */
  readonly present?: boolean;
  /** The challenge that is signed, instead of the options' own challenge. */
  readonly challenge?: string;
  /** The type in the signed data. */
  readonly type?: string;
  /** Whether the page ran in a frame of another site. */
  readonly crossOrigin?: boolean;
  /** The account that a signature names, instead of the passkey's own account; null for none. */
  readonly userHandle?: string | null;
  /** The value of the device's counter. */
  readonly counter?: number;
}

/** The manufacturer of a device: a certificate (DER) and its private key (PEM). */
export interface Maker {
  readonly certificate: Buffer;
  readonly key: string;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const ORIGIN = 'http://localhost';
const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

/**
 * A device that makes and uses one passkey, with real keys and signatures (ES256), and sends what a browser would send.
 * `e2e/specs/passkeys.spec.ts` checks it against a real browser.
 */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  #userHandle = '';
  counter = 0;

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /**
   * Makes the passkey. With `maker`, the passkey carries the manufacturer's certificate, which honest browsers leave
   * out when no certificate is requested.
   */
  create(options: CreateOptions, how: Behaviour = {}, maker?: Maker): NewPasskey {
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [xBytes, yBytes] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
    const key = map([
      [number(1), number(2)], // kty: EC2
      [number(3), number(-7)], // alg: ES256
      [number(-1), number(1)], // crv: P-256
      [number(-2), bytes(xBytes)],
      [number(-3), bytes(yBytes)],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const rpId = how.rpId ?? options.rp.id;
    const authData = this.#authenticatorData(rpId, how, attested);
    const clientDataJSON = clientData('webauthn.create', options.challenge, how);
    const signed = [Buffer.of(0), sha256(rpId), sha256(clientDataJSON), this.id, Buffer.of(4), xBytes, yBytes];
    const attestationObject = map([
      [text('fmt'), text(maker === undefined ? 'none' : 'fido-u2f')],
      [text('attStmt'), maker === undefined ? map([]) : certified(maker, Buffer.concat(signed))],
      [text('authData'), bytes(authData)],
    ]);
    return {
      id: this.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'telepathy'],
      },
    };
  }

  /** Signs a challenge with the passkey. */
  sign(options: Pick<SignOptions, 'challenge' | 'rpId'>, how: Behaviour = {}): SignedPasskey {
    if (how.counter !== undefined) this.counter = how.counter;
    const authenticatorData = this.#authenticatorData(how.rpId ?? options.rpId, how);
    const clientDataJSON = clientData('webauthn.get', options.challenge, how);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    const userHandle = how.userHandle === undefined ? this.#userHandle : how.userHandle;
    return {
      id: this.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        ...(userHandle === null ? {} : { userHandle }),
      },
    };
  }

  #authenticatorData(rpId: string, { verified = true, present = true }: Behaviour, attested?: Buffer): Buffer {
    const flags =
      (present ? FLAGS.present : 0) | (verified ? FLAGS.verified : 0) | (attested === undefined ? 0 : FLAGS.attested);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)]);
  }
}

function clientData(usual: string, asked: string, how: Behaviour): Buffer {
  const { type = usual, challenge = asked, origin = ORIGIN, crossOrigin = false } = how;
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
}

/** Encodes values as CBOR (RFC 8949), as far as passkeys need it. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const number = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (items: readonly Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items]);
const map = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** The manufacturer's attestation statement for a passkey, with the manufacturer's certificate (format `fido-u2f`). */
const certified = ({ certificate, key }: Maker, signed: Buffer): Buffer =>
  map([
    [text('sig'), bytes(sign('sha256', signed, key))],
    [text('x5c'), list([bytes(certificate)])],
  ]);
