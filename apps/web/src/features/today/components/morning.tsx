import type { CallCount, Presence, TodayReply } from '@clinic/contract';
import { clockTime, parseTime, type IsoDate, type Location } from '@clinic/domain';
import { callCountWords } from '../../../shared/call-count-words.ts';
import { countSessions } from '../../../shared/count-sessions.ts';
import { Link } from '../../../shared/router/link.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { toCancelWords } from '../../../shared/to-cancel-words.ts';
import { coveredWords, workWords } from '../model.ts';
import css from './morning.module.css';

/** One location's figures. A figure is undefined while it loads, or if it could not be loaded. */
export interface LocationMorning {
  location: Location;
  label: string;
  today: TodayReply | undefined;
  calls: CallCount | undefined;
}

/** A line for each location that the account may see: who is away, what needs cover, who must be told. */
export function Morning({
  lines,
  work,
  current,
  date,
}: {
  lines: readonly LocationMorning[];
  work: readonly Presence[];
  current: Location;
  date: IsoDate;
}) {
  return (
    <section aria-labelledby="morning">
      <h2 id="morning">The morning at a glance</h2>
      <ul className={css.lines}>
        {lines.map((line) => (
          <li key={line.location}>
            <Link
              to="/"
              search={{ date, location: line.location }}
              className={css.place}
              aria-current={line.location === current ? 'true' : undefined}
            >
              {line.label}
            </Link>
            <Steps line={line} date={date} />
            <Work list={work.filter(({ location }) => location === line.location)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who is working on what, in words. */
export function Work({ list }: { list: readonly Presence[] }) {
  if (list.length === 0) return null;
  return (
    <p className={css.work}>
      <Icon name="person" /> {list.map(workWords).join('; ')}
    </p>
  );
}

function Steps({ line, date }: { line: LocationMorning; date: IsoDate }) {
  const { location, label, today, calls } = line;
  if (!today || !calls) return <span className="muted">...</span>;
  const day = { date, location };
  const away = new Set(today.away.map((absence) => `${absence.type} ${absence.name}`)).size;
  const open = countSessions(today.needs_cover);
  const toCancel = today.to_cancel ?? 0;
  const booked = today.week.find((each) => each.date === date)?.booked ?? 0;
  const tell = callCountWords(calls);
  const of = <span className="sr"> at {label}</span>;
  return (
    <>
      {away === 0 ? (
        <span className="muted">No one away</span>
      ) : (
        <Link to="/calendar" search={day}>
          {away} away{of}
        </Link>
      )}
      {open === 0 && toCancel > 0 ? (
        <Link to="/calendar" search={{ ...day, options: 'open' }} className="alarm">
          {toCancelWords(toCancel)}
          {of}
        </Link>
      ) : open === 0 ? (
        <span className="muted">{coveredWords(today.week.find((each) => each.date === date))}</span>
      ) : (
        <Link to="/calendar" search={{ ...day, options: 'open' }} className="alarm">
          {`${open} ${open === 1 ? 'needs' : 'need'} cover, next ${nextWords(today)}`}
          {of}
        </Link>
      )}
      {tell === null ? (
        open === 0 && toCancel === 0 && booked > 0 ? (
          <Chip tone="ok" icon="check">
            All done
          </Chip>
        ) : (
          <span className="muted">No one to tell</span>
        )
      ) : (
        <Link to="/calls" search={day} className={calls.urgent > 0 ? 'alarm' : undefined}>
          {tell}
          {of}
        </Link>
      )}
      {calls.calling.length === 0 ? null : (
        <span className={`${css.calling} muted`}>{`${calls.calling.join(', ')} calling`}</span>
      )}
    </>
  );
}

const nextWords = (today: TodayReply): string =>
  clockTime(Math.min(...today.needs_cover.map((need) => parseTime(need.start) ?? Infinity)));
