import { expect, test } from 'vitest';
import type { LaterWork, Outcome } from '@clinic/cover-engine';
import { giveBack, helpWith, makeHelpers, now, type SearchOffer } from './shared-searches.ts';

const first = { plan: [], bound: 0, relaxed: 0, basis: null, kept: { columns: [], rows: [] }, handed: new Map() };
const search = { strategy: 'fewest-calls' as const, before: null, plans: [], share: 1 };
const effort = { rounds: 0, columns: 0, rows: 0, listed: 0, finishes: 0, relaxed: 0 };

const outcome = (cost: number): Outcome => ({ plan: [], cost, bound: cost, proven: true, effort, basis: null });

/** Offers three searches, of which another thread should take the last first. */
function offerThree(seconds = 60) {
  const work: LaterWork = { first, searches: [search, search, search], order: [2, 1, 0] };
  let said: SearchOffer | undefined;
  const offered = makeHelpers(
    now() + seconds * 1000,
    () => false,
    (offer) => (said = offer),
  ).offer(work);
  if (!said) throw new Error('an offer is said at once');
  return { offered, offer: said };
}

const never = () => false;

test('each search is taken once, in the given order, and what a helper finds arrives', () => {
  const { offered, offer } = offerThree();
  expect([offered.threads(), offered.unclaimed()]).toEqual([1, 3]);
  expect(offered.claim(1)).toBe(true);
  const taken: (number | null)[] = [];
  helpWith(offer, never, (work, _clock, desk) => {
    expect(work.searches).toHaveLength(3);
    expect([offered.threads(), desk.threads()]).toEqual([2, 2]);
    for (let i = desk.next(); ; i = desk.next()) {
      taken.push(i);
      if (i === null) break;
      desk.give(i, outcome(i));
    }
  });
  expect(taken).toEqual([2, 0, null]);
  expect([offered.claim(0), offered.claim(2), offered.claim(1)]).toEqual([false, false, false]);
  expect([offered.result(0)?.cost, offered.result(2)?.cost]).toEqual([0, 2]);
  expect([offered.threads(), offered.unclaimed()]).toEqual([1, 0]);
});

test('a search that a helper begins and does not finish is given back', () => {
  const { offered, offer } = offerThree();
  expect(() =>
    helpWith(offer, never, (_work, _clock, desk) => {
      desk.next();
      throw new Error('out of memory');
    }),
  ).toThrow('out of memory');
  expect(offered.claim(2)).toBe(true);
});

test('what a helper finds after it was told to stop does not count', () => {
  const { offered, offer } = offerThree();
  let mustStop = false;
  helpWith(
    offer,
    () => mustStop,
    (_work, { left }, desk) => {
      const i = desk.next()!;
      mustStop = true;
      expect(left()).toBe(0);
      desk.give(i, outcome(1));
      expect(desk.next()).toBeNull();
    },
  );
  expect(offered.claim(2)).toBe(true);
});

test('when the offer ends, a helper stops its search at once, and takes no other', () => {
  const { offered, offer } = offerThree();
  helpWith(offer, never, (_work, { left, stopped }, desk) => {
    const i = desk.next()!;
    expect([stopped(), left() > 0]).toEqual([false, true]);
    offered.end();
    expect([stopped(), left()]).toEqual([true, 0]);
    desk.give(i, outcome(1));
    expect(desk.next()).toBeNull();
  });
});

test('no one waits for a helper after the deadline, and the helper then stops its search', () => {
  const { offered, offer } = offerThree(0.2);
  helpWith(offer, never, (_work, { stopped }, desk) => {
    const i = desk.next()!;
    expect(offered.result(i)).toBeNull();
    expect(stopped()).toBe(true);
    expect(desk.next()).toBeNull();
  });
});

test('what a lost helper had taken is given back', () => {
  const { offered, offer } = offerThree();
  helpWith(offer, never, (_work, _clock, desk) => {
    desk.next();
    giveBack(offer);
    expect([offered.claim(2), offered.threads()]).toEqual([true, 1]);
  });
});
