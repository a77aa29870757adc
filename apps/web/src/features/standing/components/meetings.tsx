import type { Join, StandingReply, WarmReply } from '@clinic/contract';
import { duration, groupBy, isoDate, listWords, shortDate, timeSlot } from '@clinic/domain';
import css from './standing.module.css';
import { saidWords } from '../../../shared/api/failure-words.ts';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { useMeetings } from '../api/use-standing.ts';
import { figuresOf, type Choice } from '../model.ts';

const TIMES = { 0: 'do not meet before', 1: 'meet once before', 2: 'meet twice before', 3: 'meet three times before' };

/** How often the children of a choice meet who is new to them before the leave, and what is planned for it. */
export function useChosenMeetings(reply: StandingReply, choice: Choice, times: number) {
  const wanted = figuresOf(reply, choice).newFaces === 0 ? 0 : times;
  const query = useMeetings(reply.proposal, choice, wanted);
  const plan = wanted === 0 ? undefined : query.data;
  const joins: Join[] = (plan?.meetings ?? []).map(({ child, therapist, date, start, end }) => ({
    child,
    therapist,
    date: isoDate(date),
    start,
    end,
  }));
  return { plan, joins, error: wanted === 0 ? null : query.error, isWaiting: wanted > 0 && query.isFetching };
}

/** Asks how often children meet whoever is new to them before the leave, and lists the meetings. */
export function Meetings({
  reply,
  choice,
  times,
  planned: { plan, error, isWaiting },
  onTimes,
}: {
  reply: StandingReply;
  choice: Choice;
  times: number;
  planned: ReturnType<typeof useChosenMeetings>;
  onTimes: (times: number) => void;
}) {
  const faces = figuresOf(reply, choice).newFaces;
  if (faces === 0) return null;
  return (
    <section className={css.meetings} aria-label="Meetings before">
      <label className="small">
        {faces === 1 ? 'The child and the new face' : 'Children and new faces'}{' '}
        <PlainSelect value={times} onChange={({ target }) => onTimes(Number(target.value))}>
          {Object.entries(TIMES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </PlainSelect>
      </label>
      {error ? <p className="small alarm">{saidWords(error)}</p> : null}
      {isWaiting ? <p className="small muted">Looking for free hours…</p> : null}
      {plan ? <Plan plan={plan} /> : null}
    </section>
  );
}

function Plan({ plan: { meetings, minutes, unmet } }: { plan: WarmReply }) {
  const pairs = [...groupBy(meetings, (each) => `${each.therapist_name} joins ${each.child_name}`)];
  return (
    <>
      {meetings.length === 0 ? null : (
        <details className="small">
          <summary>
            <b>{meetings.length === 1 ? '1 meeting' : `${meetings.length} meetings`}</b>, {duration(minutes)} that
            nobody pays for
          </summary>
          <ul>
            {pairs.map(([words, own]) => (
              <li key={words}>
                {words}:{' '}
                {listWords(
                  own.map(
                    ({ date, start, end, with: who }) =>
                      `${shortDate(isoDate(date))}, ${timeSlot(start, end)}, beside ${who}`,
                  ),
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {unmet.map(({ child_name: child, therapist_name: therapist, times }) => (
        <p key={`${child} ${therapist}`} className="small">
          No {times === 1 ? 'free hour' : `${times} free hours`} in which {therapist} could join {child} before.
        </p>
      ))}
    </>
  );
}
