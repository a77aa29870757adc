import type { FastifyRequest } from 'fastify';
import type { Location } from '@clinic/domain';
import { callerOf } from '../../platform/access/caller.ts';
import type { Deps } from '../../platform/deps.ts';
import type { Caller } from '../../platform/access/sessions.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { timestampOf } from '../../db/wall-time.ts';

/** The person whose profile a save would change, and their new location. */
export interface CheckedProfile {
  readonly kind: 'therapist' | 'client';
  readonly id: string;
  readonly location: Location;
}

/**
 * The reply that checks a save of a profile: the future sessions that the save would break, by the clock of its
 * location. They name clients and therapists, so the check is audited.
 */
export async function tellBroken<Broken>(
  deps: Deps,
  request: FastifyRequest,
  { kind, id, location }: CheckedProfile,
  check: (caller: Caller, now: string) => Promise<Broken>,
): Promise<Broken> {
  const { date, minutes } = wallNow(deps.clock, location);
  const broken = await check(callerOf(request), timestampOf(date, minutes));
  await deps.auditReads.record(request, { action: `${kind}.checked`, subjectKind: kind, subjectIds: [id], location });
  return broken;
}
