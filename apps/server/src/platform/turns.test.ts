import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeTurns, type EndTurn } from './turns.ts';
import { makeWaitingLine, type Waiter } from './waiting-line.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Asking extends Waiter {
  readonly name: string;
}

const lineOf = (most = Infinity) => {
  const refused: string[] = [];
  const line = makeWaitingLine<Asking>({
    mostOfOne: 100,
    most,
    patienceMs: 60_000,
  });
  const asking = (owner: string, name = owner): Asking => ({
    owner,
    name,
    signal: undefined,
    settle: { reject: () => void refused.push(name) },
  });
  return { line, refused, asking };
};

test('an account with one request waits for at most one of each other account, however many the others have', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), (counts) => {
      const { line, asking } = lineOf();
      counts.forEach((count, owner) => {
        for (let n = 0; n < count; n++) line.add(asking(`o${owner}`));
      });
      line.add(asking('late'));
      const order = Array.from({ length: line.size }, () => line.next()?.name);
      expect(line.size).toBe(0);
      expect(order.indexOf('late')).toBeLessThanOrEqual(counts.length);
      counts.forEach((count, owner) => expect(order.filter((each) => each === `o${owner}`)).toHaveLength(count));
    }),
  );
});

test('an account’s requests come in order, except for one that is put back, which goes first', () => {
  const { line, asking } = lineOf();
  for (const name of ['1', '2', '3']) line.add(asking('a', name));
  line.add(asking('b', '10'));
  line.addAgain(asking('a', '0'));
  const order = Array.from({ length: 6 }, () => line.next()?.name);
  expect(order).toEqual(['0', '10', '1', '2', '3', undefined]);
});

test('a full line refuses the last request of the account with the most, for one of an account with fewer', () => {
  const { line, refused, asking } = lineOf(4);
  for (const name of ['a1', 'a2', 'a3']) line.add(asking('a', name));
  line.add(asking('b', 'b1'));
  line.add(asking('b', 'b2'));
  line.add(asking('c', 'c1'));
  expect(refused).toEqual(['a3', 'a2']);
  expect(line.clear().map(({ name }) => name)).toEqual(['a1', 'b1', 'b2', 'c1']);
  expect(line.size).toBe(0);
});

const LIMITS = { atOnce: 5, ofOne: 2, mostWaiting: 1000, patienceMs: 60_000 };

test('in any order of requests and ended turns, no limit is exceeded and every request gets its turn', async () => {
  const owners = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(owners, fc.infiniteStream(fc.nat()), async (asks, choices) => {
      const turns = makeTurns(LIMITS);
      const running = new Map<EndTurn, string>();
      let had = 0;
      for (const owner of asks)
        void turns.take(owner).then((end) => {
          running.set(end, owner);
          had++;
        });
      for (;;) {
        await settled();
        expect(running.size).toBeLessThanOrEqual(5);
        for (const owner of ['a', 'b', 'c'])
          expect([...running.values()].filter((each) => each === owner).length).toBeLessThanOrEqual(2);
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
  const turns = makeTurns({ ...LIMITS, atOnce: 2 });
  const ends: EndTurn[] = [];
  for (let n = 0; n < 300; n++) void turns.take('flood').then((end) => ends.push(end));
  await settled();
  let small = false;
  void turns.take('small').then((end) => {
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
  const turns = makeTurns({ ...LIMITS, ofOne: 1, mostWaiting: 2, patienceMs: 20 });
  const end = await turns.take('a');
  const gone = new AbortController();
  const late = turns.take('a');
  const left = turns.take('a', gone.signal);
  await expect(turns.take('a')).rejects.toMatchObject({ code: 'busy' });
  gone.abort();
  await expect(left).rejects.toMatchObject({ code: 'hung-up' });
  await expect(late).rejects.toMatchObject({ code: 'busy' });
  await expect(turns.take('a', gone.signal)).rejects.toMatchObject({ code: 'hung-up' });
  expect(turns.stats()).toEqual({ running: 1, waiting: 0 });
  end();
  (await turns.take('a'))();
  expect(turns.stats()).toEqual({ running: 0, waiting: 0 });
});
