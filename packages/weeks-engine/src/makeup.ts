/**
 * Makes up lost time, jointly for all clients: an integer program whose columns are pieces. The rule that a therapist is
 * in one place, and caps, matter in few places, so they are added where a solution breaks them (as in `standing.ts`).
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
}

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
function piecesOf(problem: MakeupProblem, left: () => number): Piece[] {
  return problem.owed.flatMap((owed) => {
    const { client, slots, windows } = owed;
    const who = problem.therapists.filter((t) => !serveFault(t, client, 'direct'));
    return windows.flatMap((spans, date) => {
      if (left() <= 0) return [];
      const found = new Map<number, Piece[]>();
      const week = problem.weekOf[date]!;
      for (const window of spans)
        for (let from = window.from + (window.from % 2); from < window.to; from += 2)
          for (let to = from + 2; to <= Math.min(window.to, from + PIECE.most, from + slots); to += 2) {
            const span = { from, to };
            if (!isPiece(owed, span) || to - from > client.caps[week]! || found.has(from * 64 + to)) continue;
            const takers = who.filter((t) => to - from <= t.caps[week]! && isAble(t, date, span, false));
            found.set(
              from * 64 + to,
              takers.map((therapist): Piece => ({ owed, therapist, client, date, ...span, service: 'direct' })),
            );
          }
      return [...found.values()].flat();
    });
  });
}

/** The limits that solutions have broken so far. */
interface Limits {
  readonly places: Set<string>;
  readonly caps: Set<string>;
  readonly overloads: Set<string>;
  readonly clientCaps: Set<string>;
}

function makeupProgram(problem: MakeupProblem, pieces: readonly Piece[], limits: Limits): Program {
  const program = new Program();
  const rows = new Map<string, number>();
  const row = (name: string, upper: number, make?: (row: number) => void): number => {
    let at = rows.get(name);
    if (at === undefined) {
      at = program.row(-Infinity, upper);
      rows.set(name, at);
      make?.(at);
    }
    return at;
  };
  for (const { owed, therapist, client, date, from, to } of pieces) {
    const length = to - from;
    const own = ownCost(therapist, date, { from, to }, 'direct');
    const column = program.column(own + POINTS.piece + POINTS.late * length * date - owed.points * length, 'choice');
    const add = (at: number, value: number) => program.entry(at, column, value);
    const pair = `${client.index} ${therapist.index}`;
    add(row(`date ${client.index} ${date}`, 1), 1);
    add(row(`owed ${client.index}`, owed.slots), length);
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
  return program;
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
      if (used.has(place)) limits.places.add(place);
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

/** The pieces, one after another, that can still be kept. */
function repaired(problem: MakeupProblem, pieces: readonly Piece[]): Piece[] {
  const book = new Book(problem);
  return pieces.filter((piece) => book.take(piece.therapist, piece.client, piece.date, piece));
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
      const { therapist, client, date, from, to } = piece;
      const face = POINTS.face[client.knows[therapist.index]!] + (faces.size > 0 ? POINTS.people : 0);
      const rest = ownCost(therapist, date, piece, 'direct') + POINTS.piece + latePoints(piece);
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
  const limits: Limits = { places: new Set(), caps: new Set(), overloads: new Set(), clientCaps: new Set() };
  const pieces = piecesOf(problem, search.left);
  const all = problem.owed.reduce((sum, { points, slots }) => sum + points * slots, 0);
  const chosen = (values: Float64Array, columns: readonly number[]) =>
    pieces.filter((_, i) => values[columns[i]!]! > 0.5);
  const scored = (of: readonly Piece[]) => ({ pieces: of, ...scoreMakeup(problem, of) });
  let best = scored(greedy(problem, pieces));
  let bound = 0;
  for (;;) {
    const program = makeupProgram(problem, pieces, limits);
    const columns = [...program.cost.keys()].filter((j) => program.integer[j]);
    let more = 0;
    const isWhole = (values: Float64Array) => (more += addLimits(problem, limits, chosen(values, columns))) === 0;
    const found = minimize(search, program, best.score.total - all, isWhole);
    bound = Math.max(bound, found.bound + all);
    if (found.values) {
      const plan = chosen(found.values, columns);
      more += addLimits(problem, limits, plan);
      const better = scored(repaired(problem, plan));
      if (better.score.total < best.score.total) best = better;
    }
    if (more === 0 || !found.ended || best.score.total <= bound)
      return { ...best, bound: Math.min(bound, best.score.total) };
  }
}
