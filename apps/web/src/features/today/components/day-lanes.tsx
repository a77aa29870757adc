import { namedPath } from '../../../shared/person-path.ts';
import { Link } from '../../../shared/router/link.tsx';
import type { TodayReply } from '@clinic/contract';
import { duration } from '@clinic/domain';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { barWords, onAxis, stretchWords } from '../model.ts';
import { Axis, Lane, type AxisDay } from './axis.tsx';
import css from './axis.module.css';

/**
 * The hours that a bar is long: only so long a bar has room for its time, and only in a list so wide (`axis.module.css`).
 * Without room, the time is shown beside the name.
 */
function roomOf({ start, end }: { start: string; end: string }): 'none' | '1.5' | '2.5' | '3' {
  const quarters = onAxis(start, end)?.d ?? 0;
  if (quarters < 6) return 'none';
  if (quarters < 10) return '1.5';
  return quarters < 12 ? '2.5' : '3';
}

/** The sessions that need cover. Each links to the client’s page, to its row on the calendar and to its options. */
export function NeedsCover({ list, day }: { list: TodayReply['needs_cover']; day: AxisDay }) {
  const { location, date } = day;
  return (
    <Axis title="Needs cover now" id="needs-cover" now={day.now}>
      {list.map((need) => {
        const at = onAxis(need.start, need.end);
        const when = stretchWords(need.start, need.end);
        const find = { date, location, find: need.client };
        return (
          <Lane
            key={need.key}
            who={
              <>
                <Link to={namedPath('client')} search={{ name: need.client }}>
                  {need.client}
                </Link>
                <span className="small muted">
                  <span className={css.time} data-room={roomOf(need)}>
                    {when}.{' '}
                  </span>
                  {need.why.replace(/\.$/, '')}
                </span>
              </>
            }
            strip={
              at ? (
                <Link
                  to="/calendar"
                  search={{ ...find, view: 'client' }}
                  className={css.open}
                  style={{ '--start': at.s, '--span': at.d }}
                  aria-label={`${barWords(need.start, need.end)}, ${need.client}, needs cover`}
                >
                  <Icon name="nobody" />
                  <span>{barWords(need.start, need.end)}</span>
                </Link>
              ) : null
            }
            end={
              <Link to="/calendar" search={{ ...find, options: 'open' }} className={buttonClass({ size: 'sm' })}>
                See options
                <span className="sr">
                  {' '}
                  for {need.client}, {when}
                </span>
              </Link>
            }
          />
        );
      })}
    </Axis>
  );
}

/** When each therapist is free, listed below the sessions that need cover. */
export function Reserve({ list, day }: { list: TodayReply['reserve']; day: AxisDay }) {
  return (
    <Axis title="Who is free" id="reserve" now={day.now}>
      {list.map((person) => (
        <Lane
          key={person.therapist}
          who={
            <>
              <Link to={namedPath('therapist')} search={{ name: person.therapist }}>
                {person.therapist}
              </Link>
              <span className="small muted">{person.credential}</span>
            </>
          }
          strip={
            <>
              <span className="sr">
                Free {person.windows.map((w) => stretchWords(w.start, w.end)).join(', ') || 'outside 7 to 7'}
              </span>
              {person.windows.map((w) => {
                const at = onAxis(w.start, w.end);
                return at ? (
                  <span key={w.start} className={css.free} style={{ '--start': at.s, '--span': at.d }} />
                ) : null;
              })}
            </>
          }
          end={<span className="muted">{duration(person.minutes)} free</span>}
        />
      ))}
    </Axis>
  );
}
