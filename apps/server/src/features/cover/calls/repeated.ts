import type { AnswerBody, CallNo } from '@clinic/contract';
import { overlaps, parseTime } from '@clinic/domain';
import type { PersonKey } from '../../../clinic-day/call-day.ts';
import { rootOf } from '../../../clinic-day/day.ts';
import type { CallData, Line } from './line.ts';

/** An answer as it was sent, with the note as it would be stored. */
type Sent = Pick<AnswerBody, 'answer' | 'version' | 'no' | 'results_shown'> & { readonly note: string | null };

/** Who gives an answer, and whether on their own page. */
interface By {
  readonly accountId: string;
  readonly byPage: boolean;
}

/**
 * Whether an answer is the person's newest one, sent again by the same account: because the reply was lost, or from
 * another tab. It is stored already, and the call was made once.
 * @param line the person's line now; undefined if they have none
 */
export function isRepeated(data: CallData, person: PersonKey, line: Line | undefined, sent: Sent, by: By): boolean {
  const last = data.answers.findLast((each) => each.person === person);
  if (last?.accountId !== by.accountId || last.byPage !== by.byPage) return false;
  if (last.answer !== sent.answer || last.version !== sent.version || last.note !== sent.note) return false;
  if (sent.answer === 'said-no') return sent.no === undefined || stands(data, person, sent.no);
  if (sent.answer === 'told' || !line) return true;
  // People are called more than once, so only what the page showed tells a second call from the same one sent again.
  return sent.results_shown !== undefined && sent.results_shown < line.since.length;
}

/** Whether this no is stored already and was not taken back. */
function stands({ day }: CallData, person: PersonKey, no: CallNo): boolean {
  const own = day.declines.filter(({ therapistId, clientId }) =>
    no.scope === 'but'
      ? therapistId === no.therapist && person === `client:${clientId}`
      : clientId === null && person === `therapist:${therapistId}`,
  );
  if (no.scope === 'but') return own.length > 0;
  if (no.scope === 'until') return own.some(({ until }) => until === parseTime(no.until));
  const same = own.filter(({ scope }) => scope === no.scope);
  if (no.scope === 'today' || no.sessions === undefined) return same.length > 0;
  return no.sessions.every((key) => {
    const session = day.appointments.find((each) => each.key === key);
    return (
      session !== undefined &&
      same.some(
        ({ sessions, saidTo }) =>
          sessions.includes(rootOf(session)) ||
          saidTo.some((time) => time.client === session.clientId && overlaps(time, session)),
      )
    );
  });
}
