import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFairQueue } from './fair-queue.ts';
import { makeTurns, type EndTurn } from './turns.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an account with one item waits for at most one item of each other account, however many items the others have', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), (counts) => {
      const queue = makeFairQueue<string>();
      counts.forEach((count, owner) => {
        for (let n = 0; n < count; n++) queue.push(`o${owner}`, `o${owner}`);
      });
      queue.push('late', 'late');
      const order = Array.from({ length: queue.size }, () => queue.next());
      expect(queue.size).toBe(0);
      expect(order.indexOf('late')).toBeLessThanOrEqual(counts.length);
      counts.forEach((count, owner) => expect(order.filter((each) => each === `o${owner}`)).toHaveLength(count));
    }),
  );
});

test('an account’s items come in order, except for an item that was put first', () => {
  const queue = makeFairQueue<number>();
  for (const n of [1, 2, 3]) queue.push('a', n);
  queue.push('b', 10);
  queue.pushFirst('a', 0);
  expect([queue.next(), queue.next(), queue.next(), queue.next(), queue.next(), queue.next()]).toEqual([
    0,
    10,
    1,
    2,
    3,
    undefined,
  ]);
});

test('when an item is dropped, it is the last item of the account with the most items', () => {
  const queue = makeFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  queue.push('b', 'b1');
  expect([queue.dropFromLongest(), queue.dropFromLongest(), queue.countOf('a'), queue.size]).toEqual([
    'a3',
    'a2',
    1,
    2,
  ]);
  expect(queue.remove('a', 'a1')).toBe(true);
  expect(queue.remove('a', 'a1')).toBe(false);
  expect(queue.clear()).toEqual(['b1']);
  expect(queue.dropFromLongest()).toBeUndefined();
});

const LIMITS = {
  atOnce: 5,
  ofOne: { account: 2, location: 3 },
  fairBy: 'account',
  mostWaiting: 1000,
  patienceMs: 60_000,
} as const;

test('in any order of requests and ended turns, no limit is exceeded and every request gets its turn', async () => {
  const asked = fc.record({ account: fc.constantFrom('a', 'b', 'c'), location: fc.constantFrom('x', 'y', undefined) });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (asks, choices) => {
      const turns = makeTurns<'account' | 'location'>(LIMITS);
      const running = new Map<EndTurn, (typeof asks)[number]>();
      let had = 0;
      for (const ask of asks) {
        const { account, location } = ask;
        void turns.take(location === undefined ? { account } : { account, location }).then((end) => {
          running.set(end, ask);
          had++;
        });
      }
      const count = (kind: 'account' | 'location', whose: string): number =>
        [...running.values()].filter((each) => each[kind] === whose).length;
      for (;;) {
        await settled();
        expect(running.size).toBeLessThanOrEqual(5);
        for (const account of ['a', 'b', 'c']) expect(count('account', account)).toBeLessThanOrEqual(2);
        for (const location of ['x', 'y']) expect(count('location', location)).toBeLessThanOrEqual(3);
        if (running.size === 0) break;
        const end = [...running.keys()][(choices.next().value as number) % running.size] as EndTurn;
        running.delete(end);
        end();
        end(); // ending a turn twice frees only one place
      }
      expect(had).toBe(asks.length);
      expect(turns.stats()).toEqual({ running: 0, waiting: 0 });
    }),
    { numRuns: 100 },
  );
});

test('given an account with hundreds of requests waiting, another account gets its turn after one of them', async () => {
  const turns = makeTurns<'account' | 'location'>({ ...LIMITS, atOnce: 2 });
  const ends: EndTurn[] = [];
  for (let n = 0; n < 300; n++) void turns.take({ account: 'flood' }).then((end) => ends.push(end));
  await settled();
  let small = false;
  void turns.take({ account: 'small' }).then((end) => {
    small = true;
    ends.push(end);
  });
  await settled();
  expect([ends.length, small]).toEqual([2, false]);
  for (const end of ends.splice(0)) end();
  await settled();
  expect([ends.length, small]).toEqual([2, true]);
  while (turns.stats().running > 0) {
    for (const end of ends.splice(0)) end();
    await settled();
  }
  expect(turns.stats().waiting).toBe(0);
});

test('a request that waits too long, exceeds the limit or hangs up is refused, and takes no turn', async () => {
  const turns = makeTurns<'account'>({ ...LIMITS, ofOne: { account: 1 }, mostWaiting: 2, patienceMs: 20 });
  const end = await turns.take({ account: 'a' });
  const gone = new AbortController();
  const late = turns.take({ account: 'a' });
  const left = turns.take({ account: 'a' }, gone.signal);
  await expect(turns.take({ account: 'a' })).rejects.toMatchObject({ code: 'busy' });
  gone.abort();
  await expect(left).rejects.toMatchObject({ code: 'hung-up' });
  await expect(late).rejects.toMatchObject({ code: 'busy' });
  await expect(turns.take({ account: 'a' }, gone.signal)).rejects.toMatchObject({ code: 'hung-up' });
  expect(turns.stats()).toEqual({ running: 1, waiting: 0 });
  end();
  (await turns.take({ account: 'a' }))();
  expect(turns.stats()).toEqual({ running: 0, waiting: 0 });
});
