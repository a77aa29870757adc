import { overlaps } from '@clinic/domain';
import { rootOf } from '../../day/facts/day.ts';
import type { ExtraToAsk } from '../../day/ask-extra.ts';
import type { StoredProposal } from '../problem/stored-proposal.ts';
import type { CommittedDay } from './report.ts';

/** The extra hours that a commit asks of therapists: time outside their day. */
export function extraToAsk(
  stored: StoredProposal,
  days: readonly CommittedDay[],
  commitId: string,
): readonly ExtraToAsk[] {
  return days.flatMap(({ day: { location, date }, segments }) =>
    (stored.days[date]?.planned.extra ?? []).flatMap(({ therapist, session, kind, start, end }) => {
      const given = segments.filter(
        (s) =>
          s.session.id === session &&
          s.segment.therapistId === therapist &&
          !s.segment.cancelled &&
          overlaps(s.segment, { start, end }),
      );
      const roots = new Set(given.map(({ row }) => rootOf(row)));
      return [...roots].map((root): ExtraToAsk => {
        return { location, date, kind, start, end, commitId, therapistId: therapist, session: root };
      });
    }),
  );
}
