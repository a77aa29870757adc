/** Solves an integer program over the remaining columns (*From bound to proof*, step 3, in docs/cover-engine.md). */
import type { HighsCallbackMap, Model } from 'highs';
import type { Column, Row } from './column.ts';
import { coefficient, columnKey, columnsOf, groupOf, planOf, unionRows } from './columns.ts';
import type { Objective } from './objective.ts';
import { planCost, stepRoom } from './objective.ts';
import type { Instance } from './instance.ts';
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { endNode } from './piece-states.ts';
import { RowIndex } from './row-index.ts';
import { FEW_TO_PRESOLVE } from './tuned.ts';
import type { Outcome, SearchContext } from './column-generation.ts';
import { nextAfter, roundUp } from './column-generation.ts';
import { columnCost, leftSide, payingColumn, rightSide, rowKey } from './rows.ts';

const OPTIMAL = 7;
const INFEASIBLE = 8;

/** Whether every number in the sorted list `few` is also in the sorted list `many`. */
function isWithin(few: readonly number[], many: readonly number[]): boolean {
  let j = 0;
  for (const value of few) {
    while (j < many.length && many[j]! < value) j++;
    if (many[j] !== value) return false;
  }
  return true;
}

/**
 * Rows that keep each therapist in one place, for these columns. A slot needs no row if a neighboring slot's row
 * includes all of the slot's columns and demands that the same sessions leave.
 */
function placeRows(instance: Instance, columns: readonly Column[]): Row[] {
  const users: number[][] = new Array<number[]>(instance.hard.length);
  columns.forEach((c, j) => {
    for (const at of c.uses) (users[at] ??= []).push(j);
  });
  const staysAt = (at: number) => instance.stays[at]?.map((p) => instance.movableOf[p]!) ?? [-1];
  const rows: Row[] = [];
  users.forEach((list, at) => {
    const beside = (other: number, stay: number) =>
      Math.floor(other / SLOTS) === Math.floor(at / SLOTS) && staysAt(other).includes(stay) ? users[other] : undefined;
    for (const stay of staysAt(at)) {
      if (stay < 0 && list.every((j) => ownerOf(columns[j]) === ownerOf(columns[list[0]!]))) continue;
      const [before, after] = [beside(at - 1, stay), beside(at + 1, stay)];
      if (before && isWithin(list, before)) continue;
      if (after && after.length > list.length && isWithin(list, after)) continue;
      rows.push({ kind: 'place', at, stay });
    }
  });
  return rows;
}

/** A number that is the same for all columns of one open or movable part. */
const ownerOf = (column: Column | undefined): number =>
  column ? 2 * column.owner + (column.kind === 'move' ? 1 : 0) : -1;

/** Flow rows: at every node except a part's ends, as many chosen arcs end as begin. */
function flowRows(columns: readonly Column[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { owner, part, ends } of columns)
    if (ends && part)
      for (const node of [ends.tail, ends.head]) {
        if (node === 0 || node === endNode(part)) continue;
        const row = { kind: 'flow', owner, node } as const;
        rows.set(rowKey(row), row);
      }
  return [...rows.values()];
}

/** Rows that keep a substitute from having two of a part's arcs, where no `charge` row of the part does that. */
function onceRows(columns: readonly Column[]): Row[] {
  const rows = new Map<string, { readonly row: Row; readonly tails: Set<number> }>();
  for (const { owner, part, pieces, shared, ends } of columns) {
    const therapist = pieces[0]?.therapist ?? NOBODY;
    if (!ends || therapist === NOBODY || therapist === part?.booked || shared.length > 0) continue;
    const row = { kind: 'once', owner, therapist } as const;
    const known = rows.get(rowKey(row)) ?? { row, tails: new Set<number>() };
    known.tails.add(ends.tail);
    rows.set(rowKey(row), known);
  }
  // Arcs from one node exclude each other.
  return [...rows.values()].flatMap(({ row, tails }) => (tails.size > 1 ? [row] : []));
}

/** All rows that some choice of these columns could break. */
function rowsFor(objective: Objective, columns: readonly Column[], shared: readonly Row[]): Row[] {
  const { instance } = objective;
  const rows: Row[] = instance.open.map((_, owner) => ({ kind: 'part', owner }));
  rows.push(...flowRows(columns), ...onceRows(columns));
  const moving = new Set(columns.filter((c) => c.kind === 'move').map((c) => c.owner));
  instance.movable.forEach((m, owner) => {
    if (m.must || moving.has(owner)) rows.push({ kind: 'move', owner });
  });
  rows.push(...placeRows(instance, columns));
  const ofTherapist: Column[][] = instance.model.therapists.map(() => []);
  for (const c of columns) for (const t of new Set(c.pieces.map((p) => p.therapist))) ofTherapist[t]?.push(c);
  const charges = new Map<string, Row>();
  for (const c of columns)
    for (const charge of c.shared) {
      const row = { kind: 'charge', charge, group: groupOf(instance, c) } as const;
      charges.set(rowKey(row), row);
    }
  rows.push(...charges.values());
  for (const t of instance.model.therapists) {
    const own = ofTherapist[t.index] ?? [];
    /**
     * Keeps a row only if some choice of these columns could exceed its right-hand side. An arc's coefficient is
     * doubled, because the booked therapist may have two pieces.
     */
    const reached = <R extends Row>(row: R): R[] => {
      const peak = new Map<number, number>();
      for (const c of own) {
        const owner = ownerOf(c);
        peak.set(owner, Math.max(peak.get(owner) ?? 0, (c.ends ? 2 : 1) * coefficient(instance, row, c)));
      }
      return [...peak.values()].reduce((a, b) => a + b, 0) > rightSide(objective, row) ? [row] : [];
    };
    /** Keeps a row that counts only single pieces, if some piece has more slots than the row's `room`. */
    const alone = (row: Extract<Row, { kind: 'over-piece' | 'lunch-piece' }>): Row[] =>
      row.room >= 0 && own.some((c) => coefficient(instance, row, c) > 0) ? [row] : [];
    rows.push(...reached({ kind: 'cap', therapist: t.index }));
    for (const step of instance.stepsOf[t.index] ?? [])
      for (const row of reached({ kind: 'over', therapist: t.index, step }))
        rows.push(row, ...alone({ ...row, kind: 'over-piece', room: stepRoom(instance, step) }));
    for (const row of reached({ kind: 'lunch', therapist: t.index }))
      rows.push(
        row,
        { kind: 'lunch-free', therapist: t.index },
        ...alone({ ...row, kind: 'lunch-piece', room: rightSide(objective, row) }),
        ...unionRows(instance, t.index),
      );
  }
  return [
    ...rows,
    ...shared.filter((r) => r.kind === 'unlike' || (r.kind === 'limit' && isFinite(rightSide(objective, r)))),
  ];
}

/**
 * Stops HiGHS as soon as its bound shows that no plan costs at most `reach`, or when the search must stop. More would
 * teach nothing, because a plan that costs more may use other columns.
 */
const stopsBeyond = ({ highs, stopped }: SearchContext, reach: number): HighsCallbackMap => ({
  [highs.constants.callbackType.mipInterrupt](event) {
    if (roundUp(event.data.mip_dual_bound ?? -Infinity) >= nextAfter(reach) || stopped?.()) event.interrupt();
    return undefined;
  },
});

/** Runs HiGHS. If that fails, tries again with the other presolve setting. False if both fail, which proves nothing. */
function runs(model: Model, columns: number, stops: HighsCallbackMap): boolean {
  for (const presolve of columns <= FEW_TO_PRESOLVE ? ['choose', 'off'] : ['off', 'choose']) {
    try {
      model.options.set('presolve', presolve);
      model.run(stops);
      return true;
    } catch (error) {
      if (!(error as { operation?: string }).operation) throw error;
    }
  }
  return false;
}

/** HiGHS wants a finite number where it is to have no limit on the objective. */
const NO_LIMIT = 1e30;

/**
 * Runs HiGHS from the known plan, if there is one. It does not look for plans that cost over `most`: they would teach
 * nothing, and without this limit it could leave out little while the known plan is far above `most`. If HiGHS finds
 * already before its first relaxation that there is no cheaper plan, it states no bound, or one that its optimum does
 * not have; so it runs again without plan and limit.
 */
function runsBelow(
  model: Model,
  columns: number,
  stops: HighsCallbackMap,
  plan: Float64Array | null,
  most: number,
): boolean {
  model.options.set('objective_bound', Math.min(most, NO_LIMIT));
  if (plan) model.setSolution({ colValue: plan });
  if (!runs(model, columns, stops)) return false;
  const status = model.getModelStatus();
  const bound = Number(model.info.get('mip_dual_bound'));
  const told = plan !== null || most < Infinity;
  if (!told || (status === OPTIMAL ? bound > model.getObjectiveValue() - 1 : status !== INFEASIBLE)) return true;
  model.clearSolver();
  model.options.set('objective_bound', NO_LIMIT);
  return runs(model, columns, stops);
}

/** The index of each of a plan's columns in `columns`. Columns that are not listed yet are added. */
function placeOf(columns: Column[], plan: readonly Column[]): number[] {
  // Building keys takes a long time, so keys are built only for listed columns that have the same part and as many
  // slots as the plan's column.
  const owners = new Map(plan.map((c) => [ownerOf(c), c]));
  const there = new Map<string, number>();
  columns.forEach((c, j) => {
    if (owners.get(ownerOf(c))?.uses.length === c.uses.length) there.set(columnKey(c), j);
  });
  return plan.map((column) => there.get(columnKey(column)) ?? columns.push(column) - 1);
}

/** Whether a plan can choose the column, which is true of patterns, arcs and moves. */
const isChoice = (column: Column): boolean => column.part !== null;

/** The constraint matrix of the columns, stored column by column. */
type Matrix = ReturnType<RowIndex['matrix']>;

function matrixOf(instance: Instance, columns: readonly Column[], rows: readonly Row[]): Matrix {
  const index = new RowIndex(instance);
  rows.forEach((row) => index.add(row));
  return index.matrix(columns);
}

/**
 * Returns the value of every column in a plan, given the columns that the plan chooses. The columns that pay for
 * charges, load and lunch are only as large as the rows require. NOTE: HiGHS could find missing values itself, but it
 * would first solve a second program of the same size.
 */
function valuesOf(
  objective: Objective,
  columns: readonly Column[],
  rows: readonly Row[],
  { starts, indices, values }: Matrix,
  chosen: readonly number[],
): Float64Array {
  const result = new Float64Array(columns.length);
  const sums = new Float64Array(rows.length);
  const eachEntry = (j: number, visit: (r: number, value: number) => void): void => {
    for (let k = starts[j]!; k < starts[j + 1]!; k++) visit(indices[k]!, values[k]!);
  };
  const set = (j: number, value: number): void => {
    if (value <= 0) return;
    result[j] = value;
    eachEntry(j, (r, entry) => (sums[r]! += entry * value));
  };
  for (const j of chosen) set(j, 1);
  columns.forEach((column, j) => {
    if (column.kind !== 'union') return;
    let most = 1;
    eachEntry(j, (r) => {
      if (rows[r]!.kind === 'union') most = Math.min(most, -sums[r]!);
    });
    set(j, most);
  });
  columns.forEach((column, j) => {
    if (isChoice(column) || column.kind === 'union') return;
    let least = 0;
    eachEntry(j, (r, entry) => {
      if (entry < 0) least = Math.max(least, sums[r]! - rightSide(objective, rows[r]!));
    });
    set(j, least);
  });
  return result;
}

/** The program over these columns and rows, for HiGHS. */
function modelOf(
  { objective, highs }: SearchContext,
  columns: readonly Column[],
  rows: readonly Row[],
  matrix: Matrix,
): Model {
  const { infinity } = highs;
  const mostOf = (c: Column) => (isChoice(c) || c.kind === 'union' || c.kind === 'charge' ? 1 : infinity);
  return highs.createModel({
    numCols: columns.length,
    numRows: rows.length,
    offset: objective.fixedCost,
    colCost: Float64Array.from(columns, (c) => columnCost(objective, c, 0)),
    colLower: new Float64Array(columns.length),
    colUpper: Float64Array.from(columns, mostOf),
    rowLower: Float64Array.from(rows, (r) => Math.max(-infinity, leftSide(objective, r))),
    rowUpper: Float64Array.from(rows, (r) => rightSide(objective, r)),
    integrality: Int32Array.from(columns, (c) => (isChoice(c) || c.kind === 'charge' ? 1 : 0)),
    matrix: { format: 'csc', numRows: rows.length, numCols: columns.length, ...matrix },
  });
}

/**
 * Whether what HiGHS states of its solution agrees with what the plan costs: not less, and for an optimum not more. A
 * solution that is no optimum may pay for a charge that its plan does not cause.
 */
const agree = (status: number, stated: number, cost: number): boolean =>
  stated > cost - 0.5 && (status !== OPTIMAL || stated < cost + 1);

/**
 * Solves the program over the listed columns to the end, and keeps any better plan in `out`. Returns a lower bound for
 * the plans considered; -Infinity when nothing is learned. The caller guarantees that the plans considered use no other
 * columns if they cost at most `reach`. HiGHS gives up after `mostNodes` nodes; unlike a time limit, this is the same
 * on every machine.
 */
export function solveRestrictedMip(
  context: SearchContext,
  out: Outcome,
  listed: readonly Column[],
  reach: number,
  mostNodes = Infinity,
): number {
  const { objective, master } = context;
  const { instance } = objective;
  const columns = [...listed];
  const start = out.plan ? placeOf(columns, columnsOf(instance, out.plan)) : [];
  const served = new Set(columns.filter((c) => c.kind === 'pattern' || c.kind === 'arc').map((c) => c.owner));
  if (served.size < instance.open.length) return nextAfter(reach);
  const rows = rowsFor(objective, columns, master.rows);
  const paying = new Set<string>();
  for (const row of rows) {
    const payer = payingColumn(instance, row);
    // In this program, breaking a limit is impossible, since no column pays for it.
    if (!payer || payer.kind === 'slack' || paying.has(columnKey(payer))) continue;
    paying.add(columnKey(payer));
    columns.push(payer);
  }
  const matrix = matrixOf(instance, columns, rows);
  const model = modelOf(context, columns, rows, matrix);
  try {
    out.effort.listed += columns.length;
    out.effort.finishes++;
    // HiGHS's heuristics, which solve programs within the program, are off, because there is a good plan already.
    const heuristics = {
      mip_heuristic_run_rins: false,
      mip_heuristic_run_rens: false,
      mip_heuristic_run_root_reduced_cost: false,
      mip_heuristic_run_feasibility_jump: false,
    };
    model.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.999, ...heuristics });
    if (Number.isFinite(mostNodes)) model.options.set('mip_max_nodes', mostNodes);
    const left = context.left();
    if (Number.isFinite(left)) model.options.set('time_limit', Math.max(0.001, left));
    const given = start.length > 0 ? valuesOf(objective, columns, rows, matrix, start) : null;
    // NOTE: with a callback, HiGHS found fewer plans where `reach` is infinite; such programs have few nodes anyway.
    const stops = Number.isFinite(reach) ? stopsBeyond(context, reach) : {};
    const most = Number.isFinite(reach) && reach + 1 < out.cost ? reach + 0.5 : Infinity;
    if (!runsBelow(model, columns.length, stops, given, most)) return -Infinity;
    const status = model.getModelStatus();
    const within = (bound: number) => Math.min(roundUp(bound), nextAfter(reach));
    // Infeasible: these columns contain no plan. That says nothing about plans above `reach`. NOTE: HiGHS has called
    // programs infeasible that contained a known plan; so this status is ignored if a plan is known.
    if (status === INFEASIBLE) return out.plan ? -Infinity : within(Infinity);
    const solved = model.info.get('primal_solution_status') === 2;
    const values = solved ? model.getSolution().colValue : null;
    const better = values
      ? planOf(
          instance,
          columns.filter((c, j) => isChoice(c) && values[j]! > 0.5),
        )
      : null;
    const cost = better ? planCost(objective, better) : Infinity;
    if (cost < out.cost) Object.assign(out, { plan: better, cost });
    // NOTE: HiGHS 1.16 has stated optima that its own solutions do not have. Such a program proves nothing.
    if (values && !agree(status, model.getObjectiveValue(), cost)) return -Infinity;
    const dual = roundUp(Number(model.info.get('mip_dual_bound')));
    // NOTE: points are whole numbers, and the gap is below one.
    return within(status === OPTIMAL ? Math.min(cost, dual) : dual);
  } finally {
    model.dispose();
  }
}
