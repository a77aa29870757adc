import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { LaterWork } from '@clinic/cover-engine';
import { askHelper, startHelper } from './helper.ts';
import { makeHelpers, now, type SearchOffer } from './shared-searches.ts';

test('given a helper that dies, a thread that is busy all the time gets its searches back', async () => {
  const first = { plan: [], bound: 0, relaxed: 0, basis: null, kept: { columns: [], rows: [] }, handed: new Map() };
  const search = { strategy: 'fewest-calls' as const, before: null, plans: [], share: 1 };
  const work: LaterWork = { first, searches: [search, search], order: [1, 0] };
  let said: SearchOffer | undefined;
  const offered = makeHelpers(
    now() + 60_000,
    () => false,
    (offer) => (said = offer),
  ).offer(work);
  const shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(1);
  const data = { mode: 'helper-dies', shared: shared.buffer };
  const worker = startHelper(new URL('./testing/bad-worker.ts', import.meta.url), data);
  askHelper(worker, coverDay({ seed: 1, therapists: 12, clients: 12, absent: 0.2 }), said!);
  // This thread does not return to its event loop before it has the searches back.
  expect(Atomics.wait(said!.state, 1, 0, 20_000)).toBe('ok');
  expect([Atomics.load(shared, 0), offered.claim(0)]).toEqual([0, true]);
  await worker.terminate();
});
