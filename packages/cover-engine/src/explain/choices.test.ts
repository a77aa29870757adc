import { tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { checkPlan, readPlan, scorePlan } from '../judge.ts';
import { exhaustive } from '../proof/exhaustive.ts';
import { choicesFor } from './choices.ts';
import { occupancy, withPart, withStretch } from './place.ts';
import { loadHighs } from '../load-highs.ts';
import { SLOTS, timeOf } from '../slots.ts';
import { solve } from '../solve.ts';

test('given part of a session, every other therapist is listed once, and those listed as possible break no rule and cost the points shown', () => {
  const seen = { free: 0, leaves: 0, not: 0 };
  for (let seed = 0; seed < 600; seed++) {
    const problem = { ...tinyDay(seed), pins: [] };
    const model = buildModel(problem);
    const { plan } = readPlan(model, exhaustive(problem, 'balanced').sessions);
    for (const part of model.parts.filter((p) => p.affected)) {
      for (const piece of plan[part.index] ?? []) {
        const stretch = { part: part.index, from: piece.from, to: piece.to };
        const choices = choicesFor(model, plan, stretch, 'balanced');
        const around = model.therapists.filter(
          (t) => t.index !== piece.therapist && (t.dayFrom < t.dayTo || t.free.includes(1)),
        );
        expect(choices.map((c) => c.id).toSorted(), `seed ${seed}`).toEqual(around.map((t) => t.id).toSorted());
        const costs = choices.map((c) => c.cost ?? Infinity);
        expect(costs).toEqual(costs.toSorted((a, b) => (a === b ? 0 : a - b)));
        const whole = part.session.service === 'direct' ? stretch : part;
        const where = occupancy(model, plan, SLOTS, part.index);
        for (const choice of choices) {
          const t = model.therapistById.get(choice.id);
          if (!t) throw new Error('an unknown therapist');
          const busy = where.subarray(t.index * SLOTS + whole.from, t.index * SLOTS + whole.to).some((at) => at >= 0);
          const given = withPart(plan, part.index, withStretch(plan[part.index] ?? [], whole.from, whole.to, t.index));
          const faults = checkPlan(model, given).filter((v) => v.session === part.session.id || v.therapist === t.id);
          if (choice.text.startsWith('free')) {
            seen.free++;
            expect(busy).toBe(false);
            expect(faults, `seed ${seed}, ${choice.name}: ${choice.text}`).toEqual([]);
            expect(choice.cost).toBe(
              scorePlan(model, given, 'balanced').total - scorePlan(model, plan, 'balanced').total,
            );
          } else if (choice.possible) {
            seen.leaves++;
            expect(busy, choice.text).toBe(true);
            expect(choice.text).toMatch(/^would leave .+ without a therapist \d|would move to /);
          } else {
            seen.not++;
            expect(faults.length, `seed ${seed}, ${choice.name}: ${choice.text}`).toBeGreaterThan(0);
          }
        }
      }
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

test('given a therapist who is not available that day, they are listed only after they get available hours', () => {
  const listed = (seed: number, available: [string, string][]): boolean | undefined => {
    const day = tinyDay(seed);
    const off = { id: 'off', name: 'Off Today', credential: 'RBT', gender: 'Female', available } as const;
    const problem = { ...day, pins: [], therapists: [...day.therapists, off] };
    const model = buildModel(problem);
    const { plan } = readPlan(model, exhaustive({ ...day, pins: [] }, 'balanced').sessions);
    const part = model.parts.find((p) => p.affected);
    const piece = part && plan[part.index]?.[0];
    if (!part || !piece) return undefined;
    const stretch = { part: part.index, from: piece.from, to: piece.to };
    return choicesFor(model, plan, stretch, 'balanced').some((choice) => choice.id === 'off');
  };
  const seeds = Array.from({ length: 20 }, (_, seed) => seed).filter((seed) => listed(seed, []) !== undefined);
  expect(seeds.length).toBeGreaterThan(5);
  for (const seed of seeds) expect([listed(seed, []), listed(seed, [['08:00', '17:00']])]).toEqual([false, true]);
});

test('given a therapist whose credential may not run the session, the choice says so', () => {
  const available: [string, string][] = [['08:00', '16:00']];
  const model = buildModel({
    format: 'cover-problem/2',
    date: '2026-11-20',
    location: 'altamonte',
    therapists: [
      { id: 'T1', name: 'Ana Ruiz', credential: 'BCBA', gender: 'Female', available },
      { id: 'T2', name: 'Ben Okafor', credential: 'RBT', gender: 'Male', available },
    ],
    clients: [{ id: 'C1', name: 'Bo Lee', credentials: ['BCBA'] }],
    sessions: [{ id: 'S1', client: 'C1', therapist: 'T1', start: '09:00', end: '11:00', service: 'direct' }],
    absences: [{ who: 'T1', start: '00:00', end: '24:00' }],
  });
  const { plan } = readPlan(model, [{ session: 'S1', pieces: [{ therapist: null, start: '09:00', end: '11:00' }] }]);
  const [part] = model.parts;
  const texts = choicesFor(model, plan, { part: 0, from: part?.from ?? 0, to: part?.to ?? 0 }, 'balanced').map(
    ({ name, text }) => `${name}: ${text}`,
  );
  expect(texts).toContain('Ben Okafor: not: RBTs may not run this session');
});

const highs = await loadHighs();

test('when a therapist listed as possible is pinned, the rest of the day can be solved around the pin', () => {
  let tried = 0;
  for (let seed = 0; seed < 200; seed++) {
    const problem = { ...tinyDay(seed), pins: [] };
    const model = buildModel(problem);
    const { plan } = readPlan(model, exhaustive(problem, 'balanced').sessions);
    for (const part of model.parts.filter((p) => p.affected)) {
      const [piece] = plan[part.index] ?? [];
      if (!piece || part.session.parts.length > 1) continue;
      const whole = part.session.service === 'direct' ? piece : part;
      const stretch = { part: part.index, from: piece.from, to: piece.to };
      for (const choice of choicesFor(model, plan, stretch, 'balanced').filter((c) => c.possible)) {
        const who = model.therapistById.get(choice.id)?.index ?? -1;
        const pieces = withStretch(plan[part.index] ?? [], whole.from, whole.to, who).map((p) => ({
          start: timeOf(p.from),
          end: timeOf(p.to),
          therapist: model.therapists[p.therapist]?.id ?? null,
        }));
        const pins = [{ session: part.session.id, pieces }];
        const solved = solve({ ...problem, pins }, { highs, options: 1 });
        tried++;
        expect(solved.ok, `seed ${seed}, ${choice.name}: ${choice.text}`).toBe(true);
      }
    }
  }
  expect(tried).toBeGreaterThan(20);
});
