import { randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { readPlan } from '../judge.ts';
import { buildModel } from '../build-model.ts';
import { NOBODY, type CoverModel, type Plan } from '../model.ts';
import type { PlannedSession } from '../answer.ts';
import type { CoverProblem } from '../problem.ts';
import { exhaustive } from '../proof/exhaustive.ts';
import { judge } from '../proof/judge.ts';
import { judgeModel } from '../proof/judge-model.ts';
import { mutate } from '../proof/mutate.ts';
import { timeOf } from '../slots.ts';
import { planChanges } from './changes.ts';
import { comparePlans } from './compare.ts';
import { planFigures } from './figures.ts';
import { uncoveredStretches, withPart, withStretch } from './place.ts';
import { isCovered, whatItWouldTake } from './what-it-takes.ts';
import { whyNobody } from './why-nobody.ts';
import { whyThisTherapist } from './why-therapist.ts';

interface Solved {
  seed: number;
  problem: CoverProblem;
  model: CoverModel;
  sessions: PlannedSession[];
  plan: Plan;
}

/** Tiny days without pins, each with its best plan. */
function* solvedDays(seeds: number): Generator<Solved> {
  for (let seed = 0; seed < seeds; seed++) {
    const problem = { ...tinyDay(seed), pins: [] };
    const { sessions } = exhaustive(problem, 'balanced');
    const model = buildModel(problem);
    yield { seed, problem, model, sessions, plan: readPlan(model, sessions).plan };
  }
}

const written = (model: CoverModel, plan: Plan): PlannedSession[] =>
  model.sessions
    .filter((s) => s.parts.length > 0)
    .map((s) => ({
      session: s.id,
      pieces: s.parts
        .flatMap((p) => plan[p.index] ?? [])
        .map((p) => ({
          therapist: model.therapists[p.therapist]?.id ?? null,
          start: timeOf(p.from),
          end: timeOf(p.to),
        })),
    }));

test('given a gap, each therapist is in exactly one group, and in “could, at a price” if and only if the independent checker allows them', () => {
  const seen = new Set<string>();
  for (const { seed, problem, model, plan } of solvedDays(1500)) {
    const outside = judgeModel(problem);
    for (const stretch of uncoveredStretches(model, plan)) {
      const why = whyNobody(model, plan, stretch);
      const named = why.groups.flatMap((g) => g.therapists.map((t) => t.id));
      expect(named.toSorted(), `seed ${seed}`).toEqual(problem.therapists.map((t) => t.id).toSorted());
      expect(why.total).toBe(problem.therapists.length);
      for (const group of why.groups) {
        seen.add(group.bar);
        expect(why.text).toContain(group.text);
        for (const { id } of group.therapists) {
          const index = model.therapistById.get(id)?.index ?? NOBODY;
          let may = false;
          for (let from = stretch.from; from < stretch.to && !may; from++)
            for (let to = from + 1; to <= stretch.to && !may; to++) {
              const pieces = withStretch(plan[stretch.part] ?? [], from, to, index);
              const tried = written(model, withPart(plan, stretch.part, pieces));
              may = judge(problem, { sessions: tried }, 'balanced', outside).broken.length === 0;
            }
          expect(may, `seed ${seed}: ${id} is '${group.bar}'`).toBe(group.bar === 'could, at a price');
        }
      }
    }
  }
  expect([...seen].toSorted()).toEqual(
    [
      'away',
      'not available',
      'credential',
      'gender',
      'excluded',
      'not known',
      'has not met',
      'new here',
      'needs',
      'payer',
      'declined',
      'no notice',
      'with own client',
      'covering elsewhere',
      'at their cap',
      'fragment too short',
      'could, at a price',
    ].toSorted(),
  );
});

test('given a legal plan, its figures match what the independent checker counts', () => {
  for (const { seed, problem, model, sessions } of solvedDays(800)) {
    const changed = mutate(randomFrom(seed), problem, sessions, 1);
    const verdict = judge(problem, { sessions: changed }, 'balanced');
    if (verdict.broken.length > 0) continue;
    const figures = planFigures(model, readPlan(model, changed).plan);
    const { score } = verdict;
    const counted = {
      gap: figures.gaps * 4000,
      stub: figures.stubs * 3000,
      substitute: figures.substitutes * 100,
      unfamiliar: figures.unfamiliarSupervisions * 600,
      change: figures.handovers * 300,
      swap: figures.swaps * 2500,
      short: figures.shortVisits * 150,
      bcba: (figures.bcbaMinutes / 15) * 60,
      admin: (figures.adminMinutes / 15) * 20,
      taken: (figures.takenMinutes / 15) * 60,
      callin: (figures.callInMinutes / 15) * 10,
      call: (figures.calls + figures.notInYet) * 100,
      face: figures.newFaces * 200,
      match: (figures.mismatchMinutes / 15) * 15,
      lunch: (figures.lunchMinutes / 15) * 1500,
    };
    expect(score, `seed ${seed}`).toMatchObject(counted);
    expect(figures.uncoveredMinutes > 0, `seed ${seed}`).toBe(
      score.uncovered > 0 || uncoveredStretches(model, readPlan(model, changed).plan).length > 0,
    );
  }
});

test('comparing a plan with itself shows no gains or costs, and swapping two plans swaps gains and costs', () => {
  let told = 0;
  for (const { problem, model, plan } of solvedDays(400)) {
    const care = readPlan(model, exhaustive(problem, 'whole-sessions').sessions).plan;
    expect(comparePlans(model, plan, plan)).toMatchObject({ gains: [], costs: [], text: 'The same plan' });
    const there = comparePlans(model, plan, care);
    const back = comparePlans(model, care, plan);
    expect(there.gains.length).toBe(back.costs.length);
    expect(there.costs.length).toBe(back.gains.length);
    if (there.gains.length > 0) told++;
    expect(there.text).not.toMatch(/point|score/);
  }
  expect(told).toBeGreaterThan(20);
});

test('the explanation of a piece has reasons for and against, the piece’s own costs by term, and a next-best therapist whom the independent checker allows', () => {
  let [pieces, nexts] = [0, 0];
  for (const { seed, problem, model, plan } of solvedDays(800)) {
    model.parts.forEach((part, p) =>
      plan[p]?.forEach((piece, i) => {
        if (piece.therapist === NOBODY) return;
        const why = whyThisTherapist(model, plan, { part: p, piece: i });
        expect(why.text.length).toBeGreaterThan(0);
        if (piece.therapist === part.booked) return;
        pieces++;
        const added = (piece.to - piece.from) * 2;
        expect(why.costs.added, `seed ${seed}`).toBe(added);
        expect(why.costs.uncovered).toBeUndefined();
        if (!why.next) return;
        nexts++;
        const index = model.therapistById.get(why.next.id)?.index ?? NOBODY;
        const tried = withPart(plan, p, withStretch(plan[p] ?? [], piece.from, piece.to, index));
        const verdict = judge(problem, { sessions: written(model, tried) }, 'balanced');
        const was = judge(problem, { sessions: written(model, plan) }, 'balanced');
        expect(verdict.broken, `seed ${seed}`).toEqual([]);
        expect(verdict.score.total - was.score.total, `seed ${seed}`).toBe(why.next.total);
        // The plan is the best possible, so no other therapist makes it cheaper.
        expect(why.next.total).toBeGreaterThanOrEqual(0);
      }),
    );
  }
  expect(Math.min(pieces, nexts)).toBeGreaterThan(50);
});

test('given a gap, making the changes that would cover it gives the cheapest plan without that gap', async () => {
  let [possible, impossible] = [0, 0];
  for (const { seed, model, plan } of solvedDays(500)) {
    for (const stretch of uncoveredStretches(model, plan)) {
      const answer = await whatItWouldTake(model, plan, stretch, (asked, mustCover) => {
        const best = exhaustive(asked, 'balanced', { mustCover });
        return best.total === null ? 'none' : { sessions: best.sessions, proven: true };
      });
      expect(answer.text).not.toMatch(/point|score/);
      if (!answer.possible) {
        impossible++;
        expect(answer.why?.total).toBe(model.therapists.length);
        continue;
      }
      possible++;
      const found = readPlan(model, answer.sessions).plan;
      expect(isCovered(found, stretch), `seed ${seed}`).toBe(true);
      expect(answer.changes.length).toBeGreaterThan(0);
      // The changes, applied to the original plan, give the plan that was found.
      let made: Plan = plan;
      for (const c of answer.changes) {
        const part = model.parts.find(
          (p) => p.session.id === c.session && timeOf(p.from) <= c.start && c.end <= timeOf(p.to),
        );
        const slot = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - 420) / 15;
        const to = c.to ? (model.therapistById.get(c.to.id)?.index ?? NOBODY) : NOBODY;
        expect(c.text).toContain(c.client.name);
        if (part)
          made = withPart(made, part.index, withStretch(made[part.index] ?? [], slot(c.start), slot(c.end), to));
      }
      expect(planChanges(model, made, found), `seed ${seed}`).toEqual([]);
    }
  }
  expect(Math.min(possible, impossible)).toBeGreaterThan(20);
});
