/** A small example day for testing rules and terms. Its plans are written as `session: therapist from-to, …`. */
import type { CoverModel, PlanPiece } from '../../model.ts';
import { buildModel } from '../../build-model.ts';
import { emptyPlan, NOBODY } from '../../model.ts';
import type { CoverProblem } from '../../problem.ts';
import { exactSlotOf } from '../../slots.ts';
import type { PlanView } from '../view.ts';
import { viewPlan } from '../view.ts';

const available: [string, string][] = [['08:00', '17:00']];

/**
 * The people and sessions of the day. Ana (A, BCBA) is away all day, Ben (B, RBT) until 10:00; Cleo (C) is a BCBA; Dan
 * (D) and Eve (E), both BTs, may help. Session `a` is Ana's, `b` Ben's, `c` is supervision by Cleo, `d` is Dan's, `n`
 * has no therapist, and `v` is Ana's supervision of client X. Client X knows Dan (known) and Cleo (team); client Y
 * knows no one; client Z knows Ben (known) and Eve (team).
 */
export function testDay(change: (problem: CoverProblem) => void = () => undefined): CoverModel {
  const problem: CoverProblem = {
    format: 'cover-problem/1',
    date: '2026-11-20',
    location: 'altamonte',
    now: null,
    therapists: [
      { id: 'A', name: 'Ana', credential: 'BCBA', gender: 'Female', available },
      { id: 'B', name: 'Ben', credential: 'RBT', gender: 'Male', available },
      { id: 'C', name: 'Cleo', credential: 'BCBA', gender: 'Female', available },
      { id: 'D', name: 'Dan', credential: 'BT', gender: 'Male', available },
      { id: 'E', name: 'Eve', credential: 'BT', gender: 'Female', available: [['08:15', '12:00']] },
    ],
    clients: [
      { id: 'X', name: 'X', priority: 150, knows: { C: 'team', D: 'known' } },
      { id: 'Y', name: 'Y' },
      { id: 'Z', name: 'Z', knows: { B: 'known', E: 'team' } },
    ],
    sessions: [
      { id: 'a', client: 'X', therapist: 'A', start: '09:00', end: '12:00', service: 'direct' },
      { id: 'b', client: 'Y', therapist: 'B', start: '09:00', end: '12:00', service: 'direct' },
      { id: 'c', client: 'Z', therapist: 'C', start: '15:00', end: '16:00', service: 'supervision' },
      { id: 'd', client: 'Z', therapist: 'D', start: '13:00', end: '15:00', service: 'direct' },
      { id: 'n', client: 'Y', therapist: null, start: '13:00', end: '14:00', service: 'direct' },
      { id: 'v', client: 'X', therapist: 'A', start: '15:00', end: '16:00', service: 'supervision' },
      { id: 'adm', client: null, therapist: 'C', start: '08:30', end: '09:30', service: 'admin' },
    ],
    absences: [
      { who: 'A', start: '00:00', end: '24:00' },
      { who: 'B', start: '00:00', end: '10:00' },
    ],
  };
  change(problem);
  return buildModel(problem);
}

/**
 * Returns the view of a plan with only these sessions changed. Example: `{ a: 'D 09:00-10:30, - 10:30-12:00' }`, where
 * a dash means no therapist. All other affected parts are uncovered, and all other unaffected parts stay as booked.
 */
export function planned(model: CoverModel, said: Record<string, string>): PlanView {
  const plan = emptyPlan(model);
  for (const [id, text] of Object.entries(said)) {
    const session = model.sessionById.get(id);
    if (!session) throw new Error(`no session ${id}`);
    const pieces = text.split(', ').map((piece): PlanPiece => {
      const [who = '', window = ''] = piece.split(' ');
      const [from = '', to = ''] = window.split('-');
      return { therapist: model.therapistById.get(who)?.index ?? NOBODY, from: exactSlotOf(from), to: exactSlotOf(to) };
    });
    for (const part of session.parts) plan[part.index] = pieces.filter((p) => p.from < part.to && part.from < p.to);
  }
  return viewPlan(model, plan);
}
