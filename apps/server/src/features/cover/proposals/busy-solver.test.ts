import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSmallClinic, DATE } from '../../../testing/small-clinic.ts';
import { buildAbsence } from '../../../testing/builders.ts';
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts';

const SECONDS = 60;

let t: TestApp;
beforeAll(async () => {
  t = await buildTestApp({ config: { solverSeconds: SECONDS } });
  const clinic = await buildSmallClinic(t.deps.db);
  await buildAbsence(t.deps.db, { therapist: clinic.ana, date: DATE });
});
afterAll(() => t.close());

test('more cover than the solver’s queue takes is refused as busy, with a time to come back; the rest is answered', async () => {
  const one = await t.signIn();
  const ask = () =>
    one.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates: [DATE] } });
  const replies = await Promise.all(Array.from({ length: 40 }, ask));
  const refused = replies.filter((reply) => reply.statusCode === 503);
  expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([200, 503]));
  expect(refused.length).toBeGreaterThanOrEqual(5);
  for (const reply of refused) {
    expect(reply.headers['retry-after']).toBe(String(SECONDS));
    expect(reply.json<{ detail: string }>().detail).toContain('working on other requests');
  }
  expect((await ask()).statusCode).toBe(200);
});
