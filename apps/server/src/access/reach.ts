import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback, type Config } from '../config.ts';
import type { App } from './deps.ts';
import { refusal, Refusal } from '../platform/refusal.ts';

type Reach = Pick<Config, 'host' | 'loopback' | 'publicUrl' | 'trustProxy'>;

/** Whether other machines can reach the server: because of HOST, a proxy, or a public URL. */
export function isExposed({ loopback, publicUrl, trustProxy }: Reach): boolean {
  return !loopback || trustProxy !== false || (publicUrl !== undefined && !isLoopback(hostOf(publicUrl)));
}

/**
 * Whether a request comes from this machine, as far as it shows. Behind a proxy on this machine, every request looks
 * local. Most proxies add headers. nginx's bare `proxy_pass` adds none and names 127.0.0.1 as the host, but it speaks
 * HTTP/1.0, which browsers and other programs no longer do; and a browser names the origin of its page.
 */
export function isFromThisMachine({
  headers,
  socket,
  raw,
}: Pick<FastifyRequest, 'headers' | 'socket' | 'raw'>): boolean {
  const forwarded = Object.keys(headers).some((name) => FORWARDING.test(name));
  const isLocalPage = headers.origin === undefined || isLoopbackUrl(headers.origin);
  return (
    isLoopback(plain(socket.remoteAddress ?? '')) &&
    !forwarded &&
    raw.httpVersionMajor * 10 + raw.httpVersionMinor > 10 &&
    isLocalPage &&
    isLoopback(hostNameOf(headers.host))
  );
}

const isLoopbackUrl = (url: string): boolean => URL.canParse(url) && isLoopback(hostOf(url));

/** The headers that proxies add: standard headers, and headers of particular products. */
const FORWARDING = /^(forwarded|via|x-forwarded.*|x-original.*|(.*-)?(client|real)-?ip|.*connecting-ip)$/;

/**
 * Refuses requests for a host name that is not accepted. Otherwise, a page of another site could count as ours if its
 * host name is made to resolve to this server (DNS rebinding). The accepted names are this machine's own names, HOST,
 * the connection's IP address, and the host of PUBLIC_URL. Health checks may name any host, because their replies
 * reveal nothing.
 */
export function guardHost(app: App, config: Reach): void {
  const ours = new Set([config.host.toLowerCase()]);
  if (config.publicUrl) ours.add(hostOf(config.publicUrl));
  app.addHook('onRequest', (request, _reply, done) => {
    if (hostsNamed(request.raw.rawHeaders) > 1) return done(refusal('two-hosts'));
    const host = hostNameOf(request.headers.host);
    const reachedHere = () => isIP(host) !== 0 && host === plain(request.socket.localAddress ?? '');
    const isCheck = () => CHECKS.has(request.url.split('?', 1)[0] ?? '');
    done(isLoopback(host) || ours.has(host) || reachedHere() || isCheck() ? undefined : new Refusal('wrong-host'));
  });
}

/** How many times a request names its host. Node would use the first, and a proxy perhaps another. */
const hostsNamed = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length;

const CHECKS = new Set(['/healthz', '/readyz']);

/** The host and origin from which the browser opened the pages. */
export interface Site {
  readonly host: string;
  readonly origin: string;
}

/**
 * Finds the site of the page that sent a request: PUBLIC_URL, or the site to which the request was sent. Null if the
 * page's origin, which browsers send with every POST, is neither.
 */
export function siteOf(
  { headers, protocol }: Pick<FastifyRequest, 'headers' | 'protocol'>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Site | null {
  const { origin } = headers;
  if (publicUrl !== undefined && origin === publicUrl) return { host: hostOf(publicUrl), origin };
  const own = URL.parse(`${protocol}://${headers.host}`)?.origin;
  if (own === undefined || own !== origin) return null;
  const host = hostOf(own);
  // PUBLIC_URL also says which protocol and port belong to its host.
  return publicUrl !== undefined && host === hostOf(publicUrl) ? null : { host, origin };
}

/**
 * Returns the host name in a Host header, in lower case, without the port or brackets; empty if the header is
 * malformed.
 */
function hostNameOf(header: string | undefined): string {
  const host = /^(?:\[([\da-f:.]+)\]|([^\s:@/\\?#[\]]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return (host?.[1] ?? host?.[2] ?? '').toLowerCase();
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/**
 * Returns the address from which a request came, for the log and the trail: behind a trusted proxy, the one that the
 * proxy forwards. Null if that is no address: with `TRUST_PROXY=on` a header may hold any text. An interface's name
 * (`fe80::1%eth0`) may be any text too, and is left out.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  const address = plain(ip).replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address;
}

/** Returns an IPv4 address in its ordinary form; some sockets show it as `::ffff:127.0.0.1`. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
}
