/** Whether a therapist may serve a client on a date, apart from their time: the rules that check a booked session. */
import type { IsoDate, Service } from '@clinic/domain';
import { brokenRules, isMendedByCover, type SessionRule } from '../../day/session-rules.ts';
import { isNewHere } from './people-part.ts';
import type { WeeksClient, WeeksFacts } from './weeks-facts.ts';

/** Why a therapist may not: a rule, or that they are too new here. */
export type Bar = SessionRule | 'new here';

export function barOf(
  facts: WeeksFacts,
  client: WeeksClient,
  { service, subject }: { readonly service: Exclude<Service, 'admin'>; readonly subject: string },
  id: string,
  date: IsoDate,
): Bar | null {
  const therapist = facts.therapists.get(id);
  if (!therapist) return 'employment';
  const known = client.knows.has(id);
  const time = { start: 480, end: 540 };
  const session = { id: '', root: '', date, location: facts.location, service, subject, client, therapist, known };
  const broken = brokenRules({ ...session, ...time, isSpent: false, closed: null, agreed: [time] });
  const first = broken.find(({ rule }) => isMendedByCover(rule));
  if (first) return first.rule;
  if (!known && service === 'parent-training') return 'team';
  return !known && isNewHere(therapist, date, facts) ? 'new here' : null;
}
