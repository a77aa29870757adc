import type { AnswerBody, CallNo } from '@clinic/contract';
import { overlaps, parseTime } from '@clinic/domain';
import type { Answer, PersonKey } from '../memory/call-day.ts';
import { rootOf, type DayAppointment } from '../../day/facts/day.ts';
import type { DeclinedTime } from '../../db/schema/calls.ts';
import type { CallData, Line } from './line.ts';

/** An answer as it was sent, with the note as it would be stored. */
type Sent = Pick<AnswerBody, 'answer' | 'version' | 'no' | 'last_shown' | 'ring_by'> & {
  readonly note: string | null;
};

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
  if ((last.ringAgain?.by ?? null) !== parseTime(sent.ring_by ?? '')) return false;
  if (sent.answer === 'said-no') return sent.no === undefined || isCovered(data, person, line, sent.no);
  if (sent.answer === 'told' || !line) return true;
  // People are called more than once, so only what the page showed tells a second call from the same one sent again.
  return sent.last_shown !== undefined && isAfter(last, sent.last_shown);
}

/** Whether an answer came after the newest result that a page showed, which is empty if it showed none. */
export const isAfter = ({ id }: Pick<Answer, 'id'>, shown: string): boolean => BigInt(id) > BigInt(shown);

/** Whether noes that stand already cover everything that this no is about now. */
function isCovered({ day }: CallData, person: PersonKey, line: Line | undefined, no: CallNo): boolean {
  const asked = line?.sessions ?? [];
  const same = day.declines.filter((each) =>
    no.scope === 'but'
      ? each.therapistId === no.therapist && person === `client:${each.clientId}`
      : each.clientId === null && person === `therapist:${each.therapistId}` && each.scope === no.scope,
  );
  const covers = (session: DayAppointment): boolean => same.some((each) => each.sessions.includes(rootOf(session)));
  if (no.scope === 'until') {
    const until = parseTime(no.until);
    // A line does not tell of time for which the therapist is away.
    return until !== null && same.some((each) => each.until === until) && (!line || line.first >= until);
  }
  if (no.scope === 'session' && no.sessions !== undefined)
    return no.sessions.every((key) => {
      const session = asked.find((each) => each.key === key);
      if (session) return covers(session);
      // A no to a part made the therapist away for it, and it is no longer on the line.
      const gone = day.appointments.find((each) => each.key === key);
      return gone !== undefined && (covers(gone) || same.some(({ saidTo }) => saidTo.some((time) => isOf(time, gone))));
    });
  const all = no.scope === 'but' ? asked.filter((each) => each.therapistId === no.therapist) : asked;
  return same.length > 0 && all.every(covers);
}

const isOf = (time: DeclinedTime, session: DayAppointment): boolean =>
  time.client === session.clientId && overlaps(time, session);
