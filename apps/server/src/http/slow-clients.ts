import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, ZIP_TYPE } from '@clinic/contract';
import type { App } from '../access/deps.ts';

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** How long a client may take to send a request's headers. */
  readonly headersMs: number;
  /** How long a client may take to send the whole request. */
  readonly requestMs: number;
  /** How long a client may take to read the whole reply; event streams have no limit. */
  readonly replyMs: number;
  /** How often the server checks for late requests. */
  readonly lookMs: number;
}

export const PATIENCE: Patience = { headersMs: 15_000, requestMs: 30_000, replyMs: 60_000, lookMs: 5000 };

/**
 * How long a connection may stay open without a request, in milliseconds. The header `Keep-Alive: timeout` announces
 * `keepAliveMs`, and the server waits longer than that. So a client that respects the announced time never sends a
 * request on a connection that is being closed. Proxies in front of the server must use a shorter time than the server
 * (most use 60 s).
 */
export const IDLE = { keepAliveMs: 72_000, graceMs: 10_000 } as const;

/**
 * Closes the connections of clients that do not read their reply. Otherwise, each could use memory and a socket for as
 * long as it likes. Node itself closes the connections of clients that send too slowly.
 */
export function endSlowReaders(app: App, { replyMs }: Patience): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (type.startsWith('text/event-stream')) return done();
    // An export may be many megabytes.
    const late = setTimeout(() => request.raw.socket.destroy(), type === ZIP_TYPE ? 10 * replyMs : replyMs).unref();
    reply.raw.once('close', () => clearTimeout(late));
    done();
  });
}

/** Handles malformed and late requests. */
export interface BrokenRequests {
  /** Must be called for every request as soon as its headers have arrived. */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  /** Replies with `{detail}` and closes the connection. */
  readonly refuse: (error: NodeJS.ErrnoException, socket: Socket) => void;
}

/**
 * Refuses malformed and late requests. A request may be late only because the server was stalled (the machine slept, or
 * was too busy); then its data has arrived but has not been read. So the server first reads everything that has
 * arrived. If there was anything, the client gets the full time again.
 */
export function brokenRequests({ requestMs }: Pick<Patience, 'requestMs'>): BrokenRequests {
  const newest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  const spared = new WeakSet<Socket>();
  const end = (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (socket.destroyed) return;
    // In the middle of a reply, nothing else can be sent.
    const response = newest.get(socket)?.response;
    if (socket.writable && !(response?.headersSent && !response.writableFinished)) socket.write(refusalOf(error.code));
    socket.destroy();
  };
  return {
    note: (request, response) => void newest.set(request.socket, { request, response }),
    refuse(error, socket) {
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || spared.has(socket)) return end(error, socket);
      spared.add(socket);
      const read = socket.bytesRead;
      const before = newest.get(socket)?.request;
      const wasWhole = before?.complete === true;
      setImmediate(() => {
        if (socket.bytesRead === read) return end(error, socket);
        const again = setTimeout(() => {
          const request = newest.get(socket)?.request;
          if (!request?.complete || (request === before && wasWhole)) return end(error, socket);
          spared.delete(socket);
        }, requestMs).unref();
        socket.once('close', () => clearTimeout(again));
      });
    },
  };
}

const REFUSALS: Readonly<Record<string, { status: number; detail: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request took too long to arrive. Nothing was changed.' },
  HPE_HEADER_OVERFLOW: { status: 431, detail: "The request's headers are too long. Nothing was changed." },
};

function refusalOf(code = ''): string {
  const { status, detail } = REFUSALS[code] ?? { status: 400, detail: ERRORS['bad-request'].text };
  const body = JSON.stringify({ detail });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
