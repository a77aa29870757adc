/**
 * What a choice takes: for mixing options of different clients, exactly. Two clients' choices stand together when no
 * therapist is claimed twice at a time, claims that are both as given apart (rule 6).
 */
import type { Claim, ClaimsByClient } from '@clinic/domain';
import { viewPlan } from './constraints/view.ts';
import { readPlan } from './judge.ts';
import type { CoverModel, Plan } from './model.ts';
import type { CoverOption } from './problem.ts';
import { minuteOf } from './slots.ts';

/** By client id: the time of therapists that the plan gives them. Minutes since midnight; unchanged sessions too. */
export function planClaims(model: CoverModel, plan: Plan): Record<string, Claim[]> {
  const claims: Record<string, Claim[]> = {};
  for (const p of viewPlan(model, plan).pieces) {
    if (!p.therapist) continue;
    const list = (claims[p.part.client.id] ??= []);
    list.push({ therapist: p.therapist.id, from: minuteOf(p.from), to: minuteOf(p.to), changed: !p.stays });
  }
  return claims;
}

/** The claims of every client in every option, named `Option 1` and so on. */
export function claimsOf(model: CoverModel, options: readonly CoverOption[]): ClaimsByClient {
  const claims: Record<string, Record<string, Claim[]>> = Object.fromEntries(model.clients.map((c) => [c.id, {}]));
  options.forEach((option, i) => {
    const ofPlan = planClaims(model, readPlan(model, option.sessions).plan);
    for (const [client, list] of Object.entries(ofPlan)) (claims[client] ??= {})[`Option ${i + 1}`] = list;
  });
  return claims;
}
