import { navigate } from '../../shared/router/history.ts';
import type { OptionsAsked } from './use-cover-flow.ts';

/** Reads from the address whether to open the options. The address holds ids, never names, since it may be logged. */
export function optionsAsked({
  options,
  session: key,
  therapist,
  ask,
}: Readonly<Record<string, string>>): OptionsAsked | null {
  if (options !== 'open') return null;
  return key && therapist ? { choose: { key, therapist, ...(ask ? { ask: true } : {}) } } : {};
}

/** Removes the request for options from the address, so that the options do not open again on a reload. */
export const forgetAsked = (): void =>
  navigate({
    search: (now) => ({ ...now, options: undefined, session: undefined, therapist: undefined, ask: undefined }),
    replace: true,
  });
