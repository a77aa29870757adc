/**
 * The end of a proof: every column that a better plan could hold, as a small mixed-integer program.
 */
import type { Model } from 'highs';
import type { Column, Row } from './columns.ts';
import { coefficient, columnKey, columnsOf, unionRows, moveColumn, plainColumn, planOf, wayColumn } from './columns.ts';
import type { Decision } from './decisions.ts';
import type { Field } from './field.ts';
import { overloadRoom, planCost } from './field.ts';
import { columnCost, isEquality, rightSide } from './rows.ts';
import type { Pricing } from './pricing.ts';
import { RowIndex } from './matrix.ts';
import { piecePrice } from './prices.ts';
import type { Outcome, Priced, Workshop } from './relax.ts';
import { roundUp } from './relax.ts';
import { listWays } from './ways.ts';

const OPTIMAL = 7;
const INFEASIBLE = 8;

/** Columns of a plan better than `cost`: reduced cost at most what is left between the bound and it; null: too many. */
export function listColumns(
  shop: Workshop,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  most: number,
  decisions: readonly Decision[] = [],
): Column[] | null {
  const goes = new Map(decisions.flatMap((d) => (d.kind === 'move' ? [[d.movable, d.goes] as const] : [])));
  const { ground } = shop.field;
  const columns: Column[] = [];
  for (const [i, graph] of shop.graphs.entries()) {
    const least = graph.price(pricing.prices);
    const ways = listWays(graph, least + room, most - columns.length);
    if (!ways) return null;
    for (const way of ways) columns.push(wayColumn(i, graph.part, way));
  }
  ground.movable.forEach((m, i) => {
    const costs = m.targets.map((target, j) => {
      let cost = (moveBase[i]?.[j] as number) - (pricing.credits[i] as number);
      cost += piecePrice(ground, pricing.prices, target, m.part.from, m.part.to);
      return cost;
    });
    if (goes.get(i) === false) return;
    const least = m.must || goes.get(i) ? Math.min(...costs) : Math.min(0, ...costs);
    m.targets.forEach((target, j) => {
      if ((costs[j] as number) - least <= room) columns.push(moveColumn(ground, i, target));
    });
  });
  return columns;
}

/** All rows that some choice of these columns could break. */
function rowsFor(field: Field, columns: readonly Column[], shared: readonly Row[]): Row[] {
  const { ground } = field;
  const rows: Row[] = ground.open.map((_, owner) => ({ kind: 'part', owner }));
  const moving = new Set(columns.filter((c) => c.kind === 'move').map((c) => c.owner));
  ground.movable.forEach((m, owner) => {
    if (m.must || moving.has(owner)) rows.push({ kind: 'move', owner });
  });
  const users = new Map<number, number[]>();
  const ofTherapist: Column[][] = ground.model.therapists.map(() => []);
  for (const c of columns) for (const t of new Set(c.pieces.map((p) => p.therapist))) ofTherapist[t]?.push(c);
  columns.forEach((c, j) => {
    for (const at of c.uses) {
      const list = users.get(at);
      if (list) list.push(j);
      else users.set(at, [j]);
    }
  });
  const seen = new Set<string>();
  for (const [at, list] of users) {
    const stays = ground.stays[at]?.map((p) => ground.movableOf[p] as number) ?? [-1];
    for (const stay of stays) {
      const owners = new Set(list.map((j) => `${columns[j]?.kind}${columns[j]?.owner}`));
      if (stay < 0 && owners.size < 2) continue;
      const key = `${stay}:${list.join(',')}`;
      if (seen.has(key)) continue;
      seen.add(key);
      rows.push({ kind: 'place', at, stay });
    }
  }
  for (const t of ground.model.therapists) {
    const own = ofTherapist[t.index] ?? [];
    const over: Row = { kind: 'over', therapist: t.index };
    const lunch: Row = { kind: 'lunch', therapist: t.index };
    for (const row of [over, lunch]) {
      const peak = new Map<string, number>();
      for (const c of own) {
        const owner = `${c.kind}${c.owner}`;
        peak.set(owner, Math.max(peak.get(owner) ?? 0, coefficient(ground, row, c)));
      }
      const most = [...peak.values()].reduce((a, b) => a + b, 0);
      const room = row === over ? overloadRoom(ground, t.index) : rightSide(ground, lunch);
      if (most <= room) continue;
      rows.push(row);
      if (row === lunch) rows.push({ kind: 'lunch-free', therapist: t.index });
      if (room >= 0) {
        const alone: Row = { kind: row === over ? 'over-piece' : 'lunch-piece', therapist: t.index, room };
        if (own.some((c) => coefficient(ground, alone, c) > 0)) rows.push(alone);
      }
      if (row === lunch) rows.push(...unionRows(ground, t.index));
    }
  }
  return [...rows, ...shared.filter((r) => r.kind === 'unlike' || r.kind === 'uncovered')];
}

/** Without a plan: how far over the bound to look first. */
const FIRST_ROOM = 0.05;

/**
 * Lists and solves: with every column within `limit` of the bound listed, a plan at most bound + limit is the best
 * there is, and without one the bound grows by the limit. Ends with the proof, or where too much would be listed.
 */
export function finish(shop: Workshop, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { never } = shop.master;
  for (;;) {
    const all = Number.isFinite(out.cost) ? out.cost - best.bound - 1 + 1e-5 : never - best.bound;
    const known = Math.max(0, out.bound - best.bound);
    // Without a plan the search goes outwards from what is known already, in steps that double.
    const further = 2 * known + FIRST_ROOM * Math.abs(best.bound) + 200;
    let limit = Number.isFinite(out.cost) ? all : Math.min(all, further);
    let listed = listColumns(shop, best.pricing, limit, moveBase, shop.mostListed);
    for (; !listed && limit / 2 > known; limit /= 2)
      listed = listColumns(shop, best.pricing, limit / 2, moveBase, shop.mostListed);
    if (!listed) return;
    const before = { cost: out.cost, bound: out.bound };
    const reached = solveListed(shop, out, listed, best.bound + limit);
    out.bound = Math.max(out.bound, Math.min(out.cost, reached));
    if (out.bound >= never) out.bound = Infinity;
    if (out.bound >= out.cost || shop.left() <= 0) return;
    if (out.cost === before.cost && out.bound === before.bound) return;
  }
}

/**
 * Runs HiGHS; false when it fails by itself, which decides nothing. NOTE: 1.15 ends some small sound programs with a
 * presolve error; without presolve it solves them.
 */
function runs(model: Model): boolean {
  for (const presolve of ['choose', 'off']) {
    try {
      model.options.set('presolve', presolve);
      model.run();
      return true;
    } catch (error) {
      if (!(error as { operation?: string }).operation) throw error;
    }
  }
  return false;
}

/**
 * Solves the program of these columns to the end, and keeps a better plan. `reach`: no plan at most this dear (of
 * those looked at) holds any other column. Gives the bound of those plans.
 */
export function solveListed(shop: Workshop, out: Outcome, listed: readonly Column[], reach: number): number {
  const { field, highs, master } = shop;
  const { ground } = field;
  const columns = [...listed];
  const keys = new Map(columns.map((c, j) => [columnKey(c), j]));
  const start: number[] = [];
  for (const column of out.plan ? columnsOf(ground, out.plan) : []) {
    const key = columnKey(column);
    if (!keys.has(key)) keys.set(key, columns.push(column) - 1);
    start.push(keys.get(key) as number);
  }
  const rows = rowsFor(field, columns, master.rows);
  for (const row of rows) {
    if (row.kind === 'lunch' || row.kind === 'over') columns.push(plainColumn(row.kind, row.therapist));
    if (row.kind === 'union' && !columns.some((c) => c.kind === 'union' && c.owner === row.at))
      columns.push(plainColumn('union', row.at));
  }
  const infinity = highs.infinity;
  const index = new RowIndex(ground);
  rows.forEach((row) => index.add(row));
  const yes = (c: Column) => c.kind === 'way' || c.kind === 'move';
  const model = highs.createModel({
    numCols: columns.length,
    numRows: rows.length,
    offset: field.fixedCost,
    colCost: Float64Array.from(columns, (c) => columnCost(field, c, 0)),
    colLower: new Float64Array(columns.length),
    colUpper: Float64Array.from(columns, (c) => (yes(c) || c.kind === 'union' ? 1 : infinity)),
    rowLower: Float64Array.from(rows, (r) => (isEquality(ground, r) ? 1 : -infinity)),
    rowUpper: Float64Array.from(rows, (r) => rightSide(ground, r)),
    integrality: Int32Array.from(columns, (c) => (yes(c) ? 1 : 0)),
    matrix: { format: 'csc', numRows: rows.length, numCols: columns.length, ...index.matrix(columns) },
  });
  try {
    out.effort.listed += columns.length;
    out.effort.finishes++;
    model.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.999 });
    const left = shop.left();
    if (Number.isFinite(left)) model.options.set('time_limit', Math.max(0.001, left));
    if (start.length > 0)
      model.setSolution({
        indices: Int32Array.from([...start].sort((a, b) => a - b)),
        values: new Float64Array(start.length).fill(1),
      });
    if (!runs(model)) return -Infinity;
    const status = model.getModelStatus();
    const within = (bound: number) => roundUp(Math.min(bound, reach + 1e-4));
    // Infeasible: nothing among these columns; what is dearer than `reach` is open.
    if (status === INFEASIBLE) return within(Infinity);
    const solved = model.info.get('primal_solution_status') === 2;
    const values = solved ? model.getSolution().colValue : null;
    const better = values
      ? planOf(
          ground,
          columns.filter((c, j) => yes(c) && (values[j] as number) > 0.5),
        )
      : null;
    const cost = better ? planCost(field, better) : Infinity;
    if (cost < out.cost) Object.assign(out, { plan: better, cost });
    // NOTE: at the optimum no plan of these columns is cheaper, for costs are whole and the gap under one.
    return within(status === OPTIMAL ? cost : Number(model.info.get('mip_dual_bound')));
  } finally {
    model.dispose();
  }
}
