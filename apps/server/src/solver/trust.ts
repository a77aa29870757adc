/** An option that was checked with the engine's own rules, and its plan. */
import type { CoverModel, CoverOption, Plan, Strategy } from '@clinic/cover-engine';
import { checkPlan, readPlan, scorePlan, STRATEGIES } from '@clinic/cover-engine';

export interface TrustedOption {
  option: CoverOption;
  plan: Plan;
}

function isOption(value: unknown): value is CoverOption {
  if (typeof value !== 'object' || value === null) return false;
  const option = value as Partial<CoverOption>;
  return (
    typeof option.strategy === 'string' &&
    Object.hasOwn(STRATEGIES, option.strategy) &&
    typeof option.proven === 'boolean' &&
    (option.bound === null || Number.isFinite(option.bound)) &&
    typeof option.score?.total === 'number' &&
    Array.isArray(option.sessions) &&
    option.sessions.every((s) => typeof s?.session === 'string' && Array.isArray(s.pieces))
  );
}

/** Returns the option with its plan if it follows every rule and states its true score; otherwise null. */
export function trustOption(model: CoverModel, value: unknown): TrustedOption | null {
  if (!isOption(value)) return null;
  try {
    const { plan, violations } = readPlan(model, value.sessions);
    if (violations.length > 0 || checkPlan(model, plan).length > 0) return null;
    const { total } = scorePlan(model, plan, value.strategy satisfies Strategy);
    if (total !== value.score.total || (value.bound !== null && value.bound > total)) return null;
    if (value.proven && value.bound !== total) return null;
    return { option: value, plan };
  } catch {
    return null;
  }
}
