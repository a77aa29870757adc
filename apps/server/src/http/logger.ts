import {
  LogController,
  type FastifyBaseLogger,
  type FastifyLoggerOptions,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { LogLevel } from '../config.ts';
import { hasHungUp } from '../access/hang-up.ts';
import { addressOf } from '../access/reach.ts';

/**
 * The log: JSON lines on standard error that record what the server did, without any data about clients. So it contains
 * no URLs (which hold ids and searches), no bodies, no headers, and no error messages or details, which quote data.
 */
export function loggerOptions(level: LogLevel, stream: { write(line: string): void } = process.stderr) {
  const nothing = (): Record<string, never> => ({});
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    stream,
    serializers: { req: nothing, res: nothing },
  } satisfies FastifyLoggerOptions & Record<string, unknown>;
}

/**
 * Returns the facts about an error that the log may contain, such as its type, its code, its constraint, and where it
 * was thrown.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const cause = error.cause as { issues?: { path: PropertyKey[]; code: string }[] } | undefined;
  return {
    kind: error.name,
    code,
    constraint,
    table,
    // For a reply that does not match its schema: how deep the field is and what is wrong with it, without values or
    // keys, which may be names.
    because: error.cause instanceof Error ? describeError(error.cause) : undefined,
    fields: cause?.issues?.slice(0, 5).map((issue) => `${issue.path.length} deep: ${issue.code}`),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
  };
}

/** Logs a line for each request after its reply, with the route's pattern and never with the requested URL. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      account: request.account?.id,
      from: addressOf(request),
    },
    'request',
  );
}

/**
 * Fastify's own log lines: none for requests (see `logRequest`), and for errors only the facts that `describeError`
 * allows.
 */
export class QuietLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }
  override defaultErrorLog(error: Error, request: FastifyRequest): void {
    this.#tell(error, request);
  }
  override streamError(error: Error, request: FastifyRequest): void {
    this.#tell(error, request);
  }
  override writeHeadError(error: Error, request: FastifyRequest): void {
    this.#tell(error, request);
  }
  override serializerError(error: Error, request: FastifyRequest): void {
    this.#tell(error, request);
  }
  override routeNotFound(): void {}
  override serviceUnavailable(logger: FastifyBaseLogger): void {
    logger.info('refused a request because the server is stopping');
  }

  #tell(error: Error, request: FastifyRequest): void {
    if (hasHungUp(request)) return; // the client closed its page, which happens many times a day and is not an error
    request.log.error({ err: describeError(error) }, 'reply failed');
  }
}
