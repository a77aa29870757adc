import type { ServeFault } from '../../model.ts';
import { serveFault } from '../../model.ts';
import type { PlanView } from '../view.ts';
import type { Violation } from '../violation.ts';
import { atPiece } from '../violation.ts';

const WORDS: Readonly<Record<ServeFault, string>> = {
  credential: 'does not have the credential for this session',
  'not known': 'is new to the client, who sees only familiar people',
  'has not met': 'has not met the client, and this service stays with people whom the client knows',
  gender: 'is not the gender that the client requires',
  excluded: 'is excluded for this client',
  'new here': 'is new here and serves only clients who know them',
  needs: 'does not have what this client needs',
  payer: 'does not have what the client’s payer requires',
  declined: 'said no to this session',
};

/**
 * Rule 3: a substitute may serve the client. Checks credential, gender, exclusions, needs, clients who accept only
 * people they know, and declined sessions.
 */
export function mayServe(view: PlanView): Violation[] {
  return view.others.flatMap((p) => {
    const fault = serveFault(p.therapist, p.part.session);
    return fault ? [atPiece(3, 'mayServe', p, `${p.therapist.name} ${WORDS[fault]}.`)] : [];
  });
}
