import { coverDay, randomFrom, type Random } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { NOBODY, type PlanPiece } from '../model.ts';
import { POINTS } from '../terms.ts';
import { patternColumn } from './columns.ts';
import { cheapestPattern, enumeratePatterns } from './enumerate-patterns.ts';
import { buildInstance, type Instance } from './instance.ts';
import { makeObjective } from './objective.ts';
import { LENGTHS, noPrices, personPrice, piecePrice, type Prices } from './prices.ts';
import { PricingGraph } from './pricing-graph.ts';
import { columnCost } from './rows.ts';

/** Prices as a relaxation has them on a busy day: some people's time is dear, above all long pieces of it. */
function randomPrices(instance: Instance, random: Random): Prices {
  const prices = noPrices(instance);
  for (const t of instance.model.therapists.keys()) {
    if (random.chance(0.5)) prices.lunchExcess[t] = random.int(0, 1500);
    const [room, each] = [random.int(1, 6), random.chance(0.5) ? random.int(0, 400) : 0];
    for (let n = room + 1; n < LENGTHS; n++) prices.lengths[t * LENGTHS + n] = each * (n - room);
  }
  for (let at = 0; at < prices.slots.length; at++) if (random.chance(0.3)) prices.slots[at] = random.int(0, 200);
  return prices;
}

test('the cheapest cost that a graph finds is that of a pattern, though two halves of a piece may look cheaper', () => {
  let halves = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed);
    const instance = buildInstance(buildModel(coverDay({ seed, therapists: 8, clients: 9, absent: 0.3, hard: true })));
    const objective = makeObjective(instance, POINTS);
    instance.open.forEach((part, i) => {
      const graph = new PricingGraph(instance, part, i);
      graph.weigh(objective);
      const prices = randomPrices(instance, random);
      /** The price of a piece's time. The booked therapist's own pieces are not others' work, so they pay no length. */
      const timePrice = ({ therapist, from, to }: PlanPiece): number =>
        therapist === NOBODY
          ? 0
          : piecePrice(instance, prices, therapist, from, to) -
            (therapist === part.booked ? prices.lengths[therapist * LENGTHS + to - from]! : 0);
      const costOf = (pieces: readonly PlanPiece[]): number => {
        const column = patternColumn(instance, i, pieces);
        const time = pieces.reduce((n, p) => n + timePrice(p), 0);
        return columnCost(objective, column, 0) + personPrice(instance, prices, column) + time;
      };
      const least = graph.price(prices);
      expect(costOf(cheapestPattern(graph)), `seed ${seed}, part ${i}`).toBeCloseTo(least, 6);
      if (graph.instead) halves++;
      const listed = enumeratePatterns(graph, least + 500, 100_000);
      if (!listed) return;
      expect(Math.min(...listed.map(costOf)), `seed ${seed}, part ${i}`).toBeCloseTo(least, 6);
    });
  }
  expect(halves).toBeGreaterThan(10);
});
