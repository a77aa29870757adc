import { nameKey } from '@clinic/domain';
import type { DemoClient, DemoPeople, DemoTherapist } from './people.ts';
import type { WeekDraft } from './week-draft.ts';

const PAYERS = ['Sunrise Health', 'Gulf Mutual', 'Medicaid'] as const;
const ENROLLMENT = 'Sunrise enrollment';

/** Whether the RBT requirement comes from the client's payer instead of the client. */
export const requiresRbtByPayer = ({ location, rbtOrAbove }: DemoClient): boolean => location === 'tampa' && rbtOrAbove;

/** Chooses a client's payer; `i` is the client's index among all clients. */
export const payerOf = (client: DemoClient, i: number): string =>
  requiresRbtByPayer(client) ? 'Harbor Plan' : (PAYERS[i % PAYERS.length] ?? '');

/** What payers require, and which codes they pay for at the same time. Nothing is recorded for Medicaid. */
export const demoPayers = () =>
  [
    { name: 'Sunrise Health', credential: null, tag: ENROLLMENT, concurrent: ['97153+97155'] },
    { name: 'Gulf Mutual', credential: null, tag: null, concurrent: [] as string[] },
    { name: 'Harbor Plan', credential: 'RBT' as const, tag: null, concurrent: ['97153+97155', '97153+97156'] },
  ].map((payer) => ({ name_key: nameKey(payer.name), ...payer }));

/** The maximum number of therapists at a location who are not enrolled with any payer. */
const NOT_ENROLLED = 2;

/** Makes therapists' enrollments. A few therapists have none; their clients' payers do not require enrollment. */
export function demoEnrollments({ therapists, clients }: DemoPeople, weeks: readonly WeekDraft[]) {
  const asking = new Set(clients.filter((client, i) => payerOf(client, i) === 'Sunrise Health'));
  const enrolled = new Set<DemoTherapist>();
  for (const { sessions } of weeks)
    for (const { client, therapist } of sessions)
      if (client && therapist && asking.has(client)) enrolled.add(therapist);
  const left = new Map<string, number>();
  return therapists
    .filter((therapist) => {
      const without = left.get(therapist.location) ?? 0;
      if (enrolled.has(therapist) || without === NOT_ENROLLED) return true;
      left.set(therapist.location, without + 1);
      return false;
    })
    .map(({ id }) => ({
      therapist_id: id,
      tag: ENROLLMENT,
      tag_key: nameKey(ENROLLMENT),
      from_date: null,
      until_date: null,
    }));
}
