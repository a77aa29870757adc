import type { CSSProperties } from 'react';
import type { Met, PersonHistory } from '@clinic/contract';
import { addDays, dayOfWeek, duration, isoDate, longDate, shortDate, type PersonKind } from '@clinic/domain';
import css from './person.module.css';
import { personPath } from '../../../shared/person-path.ts';
import { Link } from '../../../shared/router/link.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { EmptyState } from '../../../shared/ui/states.tsx';

/** How continuous a person's care was in four weeks: `94 % of 62 h with the team, 3 people`. */
function continuityWords({ people, minutes, team }: PersonHistory['continuity'], type: PersonKind): string {
  if (people === 0) return 'No session in the last four weeks.';
  const whom =
    type === 'client'
      ? `${people} ${people === 1 ? 'person' : 'people'}`
      : `${people} ${people === 1 ? 'child' : 'children'}`;
  const whose = type === 'client' ? 'with the team' : 'with children whose team it is';
  return `${whom} in four weeks, ${Math.round((100 * team) / minutes)}% of ${duration(minutes)} ${whose}`;
}

const isWas = ({ team, is_new, days }: Met): string =>
  [
    team ? 'team' : days.length > 0 ? 'known' : 'known, not in these weeks',
    ...(is_new ? ['first met in these weeks'] : []),
  ].join(', ');

/** Everyone whom a client met of late, or a therapist, with the hours of four weeks day by day. */
export function Team({ type, history }: { type: PersonKind; history: PersonHistory }) {
  const { from, until, continuity, met } = history;
  const other = type === 'client' ? 'therapist' : 'client';
  const weekdays = Array.from({ length: 28 }, (_, i) => addDays(isoDate(from), i)).filter((date) => {
    const day = dayOfWeek(date);
    return (day !== 0 && day !== 6) || met.some(({ days }) => days.some((each) => each.date === date));
  });
  return (
    <section className={css.part} aria-labelledby="team-title">
      <h2 id="team-title">
        {type === 'client' ? 'Team' : 'Children'}{' '}
        <span className="small muted">{continuityWords(continuity, type)}</span>
      </h2>
      {met.length === 0 ? (
        <EmptyState title="No one in the last 90 days" />
      ) : (
        <DataTable
          className={css.team}
          caption={`From ${longDate(isoDate(from))} until ${longDate(isoDate(until))}`}
          rows={met}
          keyOf={({ id }) => id}
          columns={[
            {
              head: type === 'client' ? 'Therapist' : 'Child',
              names: true,
              cell: ({ id, name, credential }) => (
                <>
                  <Link to={personPath(other, id)}>{name}</Link>
                  {credential ? <span className="small muted"> {credential}</span> : null}
                </>
              ),
            },
            { head: 'Is', cell: isWas },
            {
              head: `${shortDate(isoDate(from)).replace(/^\w+, /, '')} - ${shortDate(isoDate(until)).replace(/^\w+, /, '')}`,
              th: { className: css.wide },
              td: () => ({ className: css.wide }),
              cell: ({ days }) => <Strip dates={weekdays} days={days} />,
            },
            {
              head: 'Hours',
              th: { className: css.number },
              td: () => ({ className: css.number }),
              cell: ({ days }) => duration(days.reduce((sum, { minutes }) => sum + minutes, 0)),
            },
            { head: 'Last', cell: ({ last }) => shortDate(isoDate(last)) },
          ]}
        />
      )}
    </section>
  );
}

/** Four weeks, a mark a day, as high as the hours of the day. The hours are said in their own column. */
const Strip = ({ dates, days }: { dates: readonly string[]; days: Met['days'] }) => (
  <span className={css.strip} aria-hidden="true">
    {dates.map((date) => {
      const minutes = days.find((each) => each.date === date)?.minutes ?? 0;
      const style: CSSProperties & Record<`--${string}`, number> = { '--part': Math.min(1, minutes / 180) };
      return (
        <i
          key={date}
          data-monday={dayOfWeek(isoDate(date)) === 1 || undefined}
          data-none={minutes === 0 || undefined}
          style={style}
        />
      );
    })}
  </span>
);
