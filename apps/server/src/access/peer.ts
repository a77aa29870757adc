import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/**
 * Whether a connection on this machine was opened by a service other than this server, such as a proxy: the kernel
 * knows which user owns the other end. Services have users of their own (nginx: `www-data`); people's browsers run as
 * people, and the server's user and root are trusted. False where the kernel does not say, as on macOS.
 */
export function isOfAnotherService({ remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>): boolean {
  if (remotePort === undefined || localPort === undefined) return false;
  return ['/proc/self/net/tcp', '/proc/self/net/tcp6']
    .flatMap((table) => ownersIn(table, remotePort, localPort))
    .some((uid) => isService(uid) && uid !== process.getuid?.());
}

/** The users that own connections from one port to the other, in the kernel's table of connections. */
function ownersIn(table: string, from: number, to: number): number[] {
  const port = (n: number): string => n.toString(16).toUpperCase().padStart(4, '0');
  let lines: string[];
  try {
    lines = readFileSync(table, 'utf8').split('\n');
  } catch {
    return [];
  }
  // Columns: number, local and remote address (`0100007F:0BB8`), state, queues, timer, retransmissions, user …
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) => local?.endsWith(`:${port(from)}`) && remote?.endsWith(`:${port(to)}`))
    .map((columns) => Number(columns[7]));
}

/** The users that Linux systems keep for services: 1 to 999, systemd's dynamic users, and `nobody`. */
const isService = (uid: number): boolean => (uid >= 1 && uid <= 999) || (uid >= 61_184 && uid <= 65_534);
