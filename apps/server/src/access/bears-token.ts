import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Whether a request bears a token of the settings; takes the same time for every wrong one of the same length. */
export function bearsToken({ headers }: Pick<FastifyRequest, 'headers'>, token: string | undefined): boolean {
  if (token === undefined) return false;
  const [given, expected] = [headers.authorization ?? '', `Bearer ${token}`].map((text) => Buffer.from(text));
  return given?.length === expected?.length && timingSafeEqual(given ?? Buffer.of(), expected ?? Buffer.of());
}
