/**
 * Makes up lost time, jointly for all clients: an integer program whose columns are pieces. The rule that a therapist is
 * in one place, and caps, matter in few places, so they are added where a solution breaks them (as in `standing.ts`).
 * Until then, of pieces that differ in their start only, the cheapest stands for all. The file is over 250 lines because
 * the score, the columns and the rows say the same rules three times, and are read side by side.
 */
import { groupBy } from '@clinic/domain';
import { Book } from './book.ts';
import { FULL_WEEK, POINTS } from './points.ts';
import type { MakeupProblem, Owed, Span, Therapist } from './problem.ts';
import { minimize, Program, type Search } from './program.ts';
import { scoreGiven, totalled, type Given } from './score.ts';
import type { Score } from './answer.ts';
import { isAble, ownCost, serveFault } from './serve.ts';

/** The least and the most slots of a piece; half an hour only where a client is owed no more. */
const PIECE = { least: 4, most: 12, half: 2 };

export interface Piece extends Given {
  readonly owed: Owed;
  /** What the piece costs by itself. */
  readonly own: number;
}

/** Pieces that differ in their start only, the cheapest first. */
type Alike = readonly Piece[];

export interface SolvedMakeup {
  readonly pieces: readonly Piece[];
  readonly score: Score;
  readonly broken: readonly string[];
  readonly bound: number;
}

const latePoints = ({ date, from, to }: Piece): number => POINTS.late * (to - from) * date;

function scoreMakeup(problem: MakeupProblem, pieces: readonly Piece[]): { score: Score; broken: readonly string[] } {
  const { score, broken } = scoreGiven(problem, pieces);
  const faults: string[] = [];
  let owedPoints = 0;
  for (const owed of problem.owed) {
    const own = pieces.filter((piece) => piece.owed === owed);
    const done = own.reduce((sum, { from, to }) => sum + to - from, 0);
    if (done > owed.slots) faults.push(`${owed.client.id} is given more than is owed`);
    if (new Set(own.map((p) => p.date)).size < own.length) faults.push(`${owed.client.id} has two pieces on one date`);
    owedPoints += owed.points * Math.max(0, owed.slots - done);
  }
  for (const piece of pieces)
    if (!isPiece(piece.owed, piece) || !mayTake(piece.therapist, piece.owed, piece.date, piece))
      faults.push(`${piece.therapist.id} cannot take ${piece.client.id} on ${problem.dates[piece.date]}`);
  const late = pieces.reduce((sum, piece) => sum + latePoints(piece), 0);
  return {
    score: totalled(score, { owed: owedPoints, piece: POINTS.piece * pieces.length, late }),
    broken: [...broken, ...faults],
  };
}

function isPiece({ slots }: Owed, { from, to }: Span): boolean {
  const length = to - from;
  if (from % 2 || length % 2 || length > PIECE.most) return false;
  return length >= PIECE.least || (length === PIECE.half && slots === PIECE.half);
}

const mayTake = (therapist: Therapist, { client, windows }: Owed, date: number, span: Span): boolean =>
  windows[date]!.some((w) => w.from <= span.from && span.to <= w.to) &&
  !serveFault(therapist, client, 'direct') &&
  isAble(therapist, date, span, false);

/** Every piece that keeps the rules by itself. */
function piecesOf(problem: MakeupProblem, left: () => number): Alike[] {
  return problem.owed.flatMap((owed) => {
    const { client, slots, windows } = owed;
    const who = problem.therapists.filter((t) => !serveFault(t, client, 'direct'));
    return windows.flatMap((spans, date) => {
      if (left() <= 0) return [];
      const week = problem.weekOf[date]!;
      const found = new Map<number, Span>();
      for (const window of spans)
        for (let from = window.from + (window.from % 2); from < window.to; from += 2)
          for (let to = from + 2; to <= Math.min(window.to, from + PIECE.most, from + slots); to += 2)
            if (isPiece(owed, { from, to }) && to - from <= client.caps[week]!) found.set(from * 64 + to, { from, to });
      const pieces = [...found.values()].flatMap((span) =>
        who
          .filter((t) => span.to - span.from <= t.caps[week]! && isAble(t, date, span, false))
          .map((therapist): Piece => {
            const own = ownCost(therapist, date, span, 'direct');
            return { owed, therapist, client, date, ...span, service: 'direct', own };
          }),
      );
      const alike = groupBy(pieces, ({ therapist, from, to }) => therapist.index * 64 + to - from);
      return [...alike.values()].map((each) => each.sort((a, b) => a.own - b.own));
    });
  });
}

/** The limits that solutions have broken so far. */
interface Limits {
  /** The slots of a therapist's date. */
  readonly places: Set<string>;
  /** The therapists' dates that have such slots. */
  readonly dates: Set<string>;
  readonly caps: Set<string>;
  readonly overloads: Set<string>;
  readonly clientCaps: Set<string>;
}

interface Makeup {
  readonly program: Program;
  /** The piece of each column that is one. */
  readonly pieces: ReadonlyMap<number, Piece>;
}

function makeupProgram(problem: MakeupProblem, all: readonly Alike[], limits: Limits): Makeup {
  const program = new Program();
  const columns = new Map<number, Piece>();
  const pieces = all.flatMap((alike) => {
    const { therapist, date } = alike[0]!;
    return limits.dates.has(`${therapist.index} ${date}`) ? alike : alike.slice(0, 1);
  });
  const row = (name: string, upper: number, make?: (row: number) => void): number =>
    program.rowNamed(name, -Infinity, upper, make);
  for (const piece of pieces) {
    const { owed, therapist, client, date, from, to, own } = piece;
    const length = to - from;
    const column = program.column(own + POINTS.piece + latePoints(piece) - owed.points * length, 'choice');
    columns.set(column, piece);
    const add = (at: number, value: number) => program.entry(at, column, value);
    const pair = `${client.index} ${therapist.index}`;
    add(row(`date ${client.index} ${date}`, 1), 1);
    const total = row(`total ${client.index}`, 0, (at) => totalColumns(program, at, owed, row));
    add(total, length);
    add(row(`pieces ${client.index}`, 0), -1);
    // Given time never exceeds what is owed, so a pair that has part of it has at least this part of a face.
    add(
      row(`given ${pair}`, 0, (given) => {
        const knows = client.knows[therapist.index]!;
        const face = program.column(POINTS.face[knows], 'follower');
        program.entry(given, face, -owed.slots);
        for (let d = 0; d < problem.dates.length; d++) program.entry(row(`pair ${pair} ${d}`, 0), face, -1);
        const people = row(`people ${client.index}`, 1, (at) => {
          program.entry(at, program.column(POINTS.people, 'follower', Infinity), -1);
        });
        program.entry(people, face, 1);
        program.entry(row(`someone ${client.index}`, 0), face, -1);
      }),
      length,
    );
    add(row(`pair ${pair} ${date}`, 0), 1);
    for (let slot = from; slot < to; slot++) {
      const place = `${therapist.index} ${date} ${slot}`;
      if (limits.places.has(place)) add(row(`place ${place}`, 1), 1);
    }
    const week = problem.weekOf[date]!;
    const load = `${therapist.index} ${week}`;
    if (limits.caps.has(load)) add(row(`cap ${load}`, therapist.caps[week]!), length);
    if (limits.overloads.has(load))
      add(
        row(`over ${load}`, FULL_WEEK, (at) => {
          program.entry(at, program.column(POINTS.overload, 'follower', Infinity), -1);
        }),
        length,
      );
    const spent = `${client.index} ${week}`;
    if (limits.clientCaps.has(spent)) add(row(`client ${spent}`, client.caps[week]!), length);
  }
  return { program, pieces: columns };
}

/**
 * One column for each total that a client can be given. It asks for the pieces that the total takes and for somebody who
 * gives it; without them the relaxation pays for parts of pieces and of people, and its bound is far off.
 */
function totalColumns(
  program: Program,
  total: number,
  { client, slots }: Owed,
  row: (name: string, upper: number) => number,
): void {
  program.rowLower[total] = 0;
  const one = row(`one ${client.index}`, 1);
  for (let given = 2; given <= slots; given += 2) {
    const column = program.column(0, 'core choice');
    program.entry(total, column, -given);
    program.entry(one, column, 1);
    program.entry(row(`pieces ${client.index}`, 0), column, Math.ceil(given / PIECE.most));
    program.entry(row(`someone ${client.index}`, 0), column, 1);
  }
}

/** Adds the limits that the pieces break or do not pay for; returns how many. */
function addLimits({ weekOf }: MakeupProblem, limits: Limits, pieces: readonly Piece[]): number {
  const sizes = () => limits.places.size + limits.caps.size + limits.overloads.size + limits.clientCaps.size;
  const before = sizes();
  const used = new Set<string>();
  const load = new Map<string, number>();
  for (const { therapist, client, date, from, to } of pieces) {
    for (let slot = from; slot < to; slot++) {
      const place = `${therapist.index} ${date} ${slot}`;
      if (used.has(place)) {
        limits.places.add(place);
        limits.dates.add(`${therapist.index} ${date}`);
      }
      used.add(place);
    }
    const week = weekOf[date]!;
    const count = (key: string): number => {
      const total = (load.get(key) ?? 0) + to - from;
      load.set(key, total);
      return total;
    };
    const own = count(`t${therapist.index} ${week}`);
    if (own > therapist.caps[week]!) limits.caps.add(`${therapist.index} ${week}`);
    if (own > FULL_WEEK) limits.overloads.add(`${therapist.index} ${week}`);
    if (count(`c${client.index} ${week}`) > client.caps[week]!) limits.clientCaps.add(`${client.index} ${week}`);
  }
  return sizes() - before;
}

/** The pieces, one after another, that can still be kept, at another start if need be. */
function repaired(problem: MakeupProblem, chosen: readonly Piece[], alike: ReadonlyMap<Piece, Alike>): Piece[] {
  const book = new Book(problem);
  return chosen.flatMap((piece) => {
    const others = [piece, ...alike.get(piece)!];
    return others.find((each) => book.take(each.therapist, each.client, each.date, each)) ?? [];
  });
}

/** Pieces that are found at once: for each client, the costliest to leave first, the piece that then saves the most. */
function greedy(problem: MakeupProblem, pieces: readonly Piece[]): Piece[] {
  const book = new Book(problem);
  const byOwed = groupBy(pieces, (piece) => piece.owed);
  const chosen: Piece[] = [];
  for (const owed of [...problem.owed].sort((a, b) => b.points * b.slots - a.points * a.slots)) {
    const own: Piece[] = [];
    const faces = new Set<Therapist>();
    let missing = owed.slots;
    const pointsOf = (piece: Piece): number => {
      const { therapist, client, from, to, own: alone } = piece;
      const face = POINTS.face[client.knows[therapist.index]!] + (faces.size > 0 ? POINTS.people : 0);
      const rest = alone + POINTS.piece + latePoints(piece);
      return rest + (faces.has(therapist) ? 0 : face) - owed.points * (to - from);
    };
    for (;;) {
      const better = (byOwed.get(owed) ?? [])
        .filter((piece) => piece.to - piece.from <= missing && own.every(({ date }) => date !== piece.date))
        .map((piece) => ({ piece, points: pointsOf(piece) }))
        .filter(({ points }) => points < 0)
        .sort((a, b) => a.points - b.points)
        .find(({ piece }) => book.take(piece.therapist, piece.client, piece.date, piece));
      if (!better) break;
      own.push(better.piece);
      faces.add(better.piece.therapist);
      missing -= better.piece.to - better.piece.from;
    }
    chosen.push(...own);
  }
  return chosen;
}

export function solveMakeup(problem: MakeupProblem, search: Search): SolvedMakeup {
  const limits: Limits = {
    places: new Set(),
    dates: new Set(),
    caps: new Set(),
    overloads: new Set(),
    clientCaps: new Set(),
  };
  const all = piecesOf(problem, search.left);
  const alike = new Map(all.flatMap((group) => group.map((piece) => [piece, group] as const)));
  const nothing = problem.owed.reduce((sum, { points, slots }) => sum + points * slots, 0);
  const scored = (of: readonly Piece[]) => ({ pieces: of, ...scoreMakeup(problem, of) });
  let best = scored(greedy(problem, all.flat()));
  let bound = 0;
  for (;;) {
    const { program, pieces } = makeupProgram(problem, all, limits);
    const chosen = (values: Float64Array) =>
      [...pieces].flatMap(([column, piece]) => (values[column]! > 0.5 ? [piece] : []));
    let more = 0;
    const isWhole = (values: Float64Array) => (more += addLimits(problem, limits, chosen(values))) === 0;
    const found = minimize(search, program, best.score.total - nothing, isWhole);
    bound = Math.max(bound, found.bound + nothing);
    if (found.values) {
      const plan = chosen(found.values);
      more += addLimits(problem, limits, plan);
      const better = scored(repaired(problem, plan, alike));
      if (better.score.total < best.score.total) best = better;
    }
    if (more === 0 || !found.ended || best.score.total <= bound)
      return { ...best, bound: Math.min(bound, best.score.total) };
  }
}
