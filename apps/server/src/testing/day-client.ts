import { NO_CARE } from '@clinic/domain';
import type { DayClient } from '../day/facts/day.ts';

/** A client of a made-up day. The id is the name too. */
export const dayClient = (id: string, more: Partial<DayClient> = {}): DayClient => ({
  id,
  firstName: id,
  displayName: id,
  location: 'altamonte',
  gender: 'Male',
  priority: 100,
  care: NO_CARE,
  priorityWhy: null,
  twoToOne: false,
  careTeamOnly: false,
  rbtOrAbove: false,
  requiresGender: [],
  excludesTherapist: [],
  needs: [],
  prefers: [],
  payers: [],
  knows: new Map(),
  ...more,
});
