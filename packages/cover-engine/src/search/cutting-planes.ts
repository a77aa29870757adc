/**
 * Cutting planes (*From bound to proof*, step 5, in docs/cover-engine.md): solves the relaxation of the listed
 * columns and adds cuts, until few columns are left or cuts no longer help.
 */
import type { Column, Cut } from './column.ts';
import { isWhole, pays, planOf } from './columns.ts';
import { separateCuts } from './separate-cuts.ts';
import type { Decision } from './branching.ts';
import type { ColumnPool } from './column-pool.ts';
import type { Pricing } from './dual-prices.ts';
import type { Outcome, SearchContext } from './column-generation.ts';
import { roundUp, takePlan } from './column-generation.ts';

/** The maximum number of rounds of cuts. */
const MOST_ROUNDS = 40;
/** A program with at most this many columns is solved at once, without more cuts. */
const FEW = 150;
/**
 * A round of cuts is poor if it closes less than this share of the gap. After MOST_POOR poor rounds in a row, the
 * search stops adding cuts.
 */
const POOR = 0.03;
const MOST_POOR = 4;
/** How many columns of one open or movable part the program gets in one round. */
const MOST_PATTERNS = 6;

interface Lifted {
  /** No plan made of listed columns costs less than this. */
  bound: number;
  /**
   * For each listed column: a plan that uses the column costs at least this much more than the bound. Null if nothing
   * was learned.
   */
  excess: Float64Array | null;
  /** The cuts that bind in the best solution. */
  cuts: Cut[];
}

/**
 * Computes the bound of the listed columns at these prices and, for each column, by how much a plan with that column
 * must exceed the bound.
 */
function bounded(
  pool: ColumnPool,
  pricing: Pricing,
  reduced: Float64Array,
  open: number,
  must: (movable: number) => boolean,
): { bound: number; excess: Float64Array } {
  const least = new Float64Array(pool.groups);
  for (let g = 0; g < pool.groups; g++) least[g] = g < open || must(g - open) ? Infinity : 0;
  reduced.forEach((value, j) => {
    const g = pool.group[j]!;
    if (value < least[g]!) least[g] = value;
  });
  let bound = pricing.constant;
  for (const value of least) bound += value;
  const dueOf = (j: number): number => pool.columns[j]!.shared.reduce((n, id) => n + pricing.dues[id]!, 0);
  return { bound, excess: reduced.map((value, j) => value - least[pool.group[j]!]! + dueOf(j)) };
}

/** Picks columns with a negative reduced cost, a few for each open or movable part. */
function lowering(pool: ColumnPool, pricing: Pricing, reduced: Float64Array, open: number): Column[] {
  const found: { j: number; under: number }[][] = Array.from({ length: pool.groups }, () => []);
  reduced.forEach((value, j) => {
    const g = pool.group[j]!;
    const dual = g < open ? pricing.partDuals[g]! : pricing.moveDuals[g - open]!;
    if (value - dual < -1e-6) found[g]?.push({ j, under: value - dual });
  });
  return found.flatMap((list) =>
    list
      .sort((a, b) => a.under - b.under || a.j - b.j)
      .slice(0, MOST_PATTERNS)
      .map(({ j }) => pool.columns[j] as Column),
  );
}

/**
 * Adds cuts until the bound reaches the current plan or `reach`, the solution is whole, few columns are left, or cuts
 * no longer help.
 */
export function addCuts(
  context: SearchContext,
  out: Outcome,
  pool: ColumnPool,
  reach: number,
  decisions: readonly Decision[],
): Lifted {
  const { objective, master } = context;
  const { open, movable } = objective.instance;
  const goes = new Map(decisions.flatMap((d) => (d.kind === 'move' ? [[d.movable, d.goes] as const] : [])));
  const must = (m: number) => movable[m]?.must === true || goes.get(m) === true;
  const lifted: Lifted = { bound: -Infinity, excess: null, cuts: [] };
  let [poor, before] = [0, -Infinity];
  master.keepOnly(objective, (column) => pool.has(column));
  for (let round = 0; round < MOST_ROUNDS && context.left() > 0;) {
    const relaxed = master.solve(objective, context.left());
    if (!relaxed) return lifted;
    const reduced = pool.price(relaxed.pricing);
    const { bound, excess } = bounded(pool, relaxed.pricing, reduced, open.length, must);
    if (bound > lifted.bound) {
      const binding = relaxed.pricing.cuts.filter((c) => c.price > 1e-6).map((c) => c.cut);
      Object.assign(lifted, { bound, excess, cuts: binding });
    }
    const most = Math.min(out.cost, master.never);
    if (roundUp(lifted.bound) >= most || lifted.bound > reach) return lifted;
    const rows = master.broken(relaxed.values);
    master.addRows(objective, rows);
    const added = master.addColumns(objective, lowering(pool, relaxed.pricing, reduced, open.length));
    if (rows.length > 0 || added > 0) continue;
    if (isWhole(master.columns, relaxed.values)) {
      const chosen = master.columns.filter((c, j) => relaxed.values[j]! > (pays(c) ? 1e-6 : 0.5));
      takePlan(objective, out, planOf(objective.instance, chosen));
      return lifted;
    }
    const room = Math.min(out.cost - 1 + 1e-5, reach) - lifted.bound;
    let left = 0;
    for (const value of lifted.excess ?? []) if (value <= room) left++;
    if (left <= FEW) return lifted;
    poor = lifted.bound - before < POOR * (Math.min(most, reach) - lifted.bound) ? poor + 1 : 0;
    if (poor >= MOST_POOR) return lifted;
    before = lifted.bound;
    const cuts = separateCuts(objective.instance, master.columns, relaxed.values);
    if (master.addRows(objective, cuts) === 0) return lifted;
    round++;
  }
  return lifted;
}
