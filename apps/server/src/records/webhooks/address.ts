import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../../config.ts';

/**
 * Addresses that no webhook is sent to, whatever name leads there: this machine, those that only a link reaches (among
 * them the clouds' own services), and those that are nobody's. A clinic's private network is allowed: its other programs
 * run there, and only https with a certificate that holds reaches them.
 */
const CLOSED = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  CLOSED.addSubnet(net, prefix, 'ipv4');
CLOSED.addAddress('100.100.100.200', 'ipv4'); // a cloud's own service
for (const [net, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
] as const)
  CLOSED.addSubnet(net, prefix, 'ipv6');
CLOSED.addAddress('fd00:ec2::254', 'ipv6');

/** Whether a numeric address may not be sent to. */
export function isClosed(address: string): boolean {
  const plain = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(address);
  if (plain) return isClosed(plain[1] ?? fromHex(plain[2] ?? '0', plain[3] ?? '0'));
  const family = isIP(address);
  return family === 0 || CLOSED.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const fromHex = (high: string, low: string): string =>
  [high, low]
    .map((part) => parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');

/** The host of an address without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Reads the address of a webhook: https, or http to this machine by its own name, and without a password. Null if it may
 * not be sent to.
 */
export function readAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return null;
  const host = hostOf(url);
  if (isLoopback(host)) return /^https?:$/.test(url.protocol) ? url : null;
  if (url.protocol !== 'https:' || host === '') return null;
  return isIP(host) !== 0 && isClosed(host) ? null : url;
}

/**
 * Looks a host name up for a connection, and gives only addresses that may be sent to. The connection uses what was
 * checked here, so a name cannot lead elsewhere a moment later.
 */
export const openLookup: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '');
    const open = isLoopback(hostname) ? addresses : addresses.filter(({ address }) => !isClosed(address));
    const [first] = open;
    if (!first) return done(Object.assign(new Error('closed address'), { code: 'ECLOSED' }), '');
    if (options.all === true) return done(null, open);
    done(null, first.address, first.family);
  });
};
