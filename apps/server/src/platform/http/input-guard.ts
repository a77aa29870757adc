import type { App } from '../deps.ts';
import { Refusal } from '../refusal.ts';

const DEEPEST = 24; // a reply of ours sent back is 7 deep
const MOST_VALUES = 200_000;
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/**
 * Refuses, before any schema sees them, bodies nested too deep or with too many values, and texts that would not come
 * back as they were sent: PostgreSQL cannot hold the zero character, and half of a surrogate pair becomes U+FFFD on the
 * way to it, so that a name could be free when it is compared and taken when it is written.
 */
export function guardInput(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    check(request.headers['idempotency-key']); // the one header that is kept
    if (request.params) check(request.params);
    if (request.query) check(request.query);
    if (request.body && typeof request.body === 'object') check(request.body);
    done();
  });
}

/** Throws a Refusal for a value outside the limits. */
function check(value: unknown): void {
  let seen = 0;
  const visit = (each: unknown, depth: number): void => {
    if (++seen > MOST_VALUES) throw new Refusal('too-large');
    if (typeof each === 'string') {
      if (each.includes('\0'))
        throw new Refusal('invalid', { message: 'A text holds a zero character. Nothing was changed.' });
      if (HALF_A_CHARACTER.test(each))
        throw new Refusal('invalid', { message: 'A text holds half a character. Nothing was changed.' });
    } else if (typeof each === 'object' && each !== null) {
      if (depth > DEEPEST)
        throw new Refusal('invalid', { message: 'The request is nested too deep. Nothing was changed.' });
      if (Buffer.isBuffer(each)) return;
      for (const [key, inner] of Object.entries(each)) {
        visit(key, depth);
        visit(inner, depth + 1);
      }
    }
  };
  visit(value, 0);
}
