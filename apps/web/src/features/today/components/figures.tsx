import type { ReactNode } from 'react';
import type { CallCount, TodayReply } from '@clinic/contract';
import { parseTime, sayTime, type IsoDate, type Location } from '@clinic/domain';
import { countSessions } from '../../../shared/count-sessions.ts';
import { Link } from '../../../shared/router/link.tsx';
import { wrongCountWords } from '../../../shared/to-cancel-words.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Headline } from '../../../shared/ui/two-columns.tsx';
import { dayWords, needWords } from '../model.ts';
import { firstWrongWords } from '../well-words.ts';
import css from './figures.module.css';

export interface FigureProps {
  reply: TodayReply;
  location: Location;
  date: IsoDate;
  /** Minutes after midnight; null when the day is not today. */
  now: number | null;
  /** The people who must be told; undefined if they are not known. */
  calls?: CallCount | undefined;
}

/** The page's three figures: what needs cover, who must be told, and what is wrong. Each leads to what it counts. */
export function Figures({ reply, location, date, now, calls }: FigureProps) {
  const needs = reply.needs_cover;
  const count = countSessions(needs);
  const { wrong } = reply;
  const toCancel = reply.to_cancel ?? 0;
  const calm = dayWords(
    reply.week.find((day) => day.date === date),
    wrong?.length,
  );
  return (
    <div className={css.figures}>
      <Figure
        well={needs.length === 0 && calm.well}
        text={needs.length > 0 ? needWords(needs, now) : calm.text}
        act={
          needs.length > 0 || toCancel > 0 ? (
            <Link
              to="/calendar"
              search={{ date, location, options: 'open' }}
              className={buttonClass({ variant: 'primary', size: 'lg' })}
            >
              See options
            </Link>
          ) : (
            <Link to="/calendar" search={{ date, location }} className={buttonClass({ size: 'lg' })}>
              Open the calendar
            </Link>
          )
        }
      >
        {needs.length > 0 ? (
          <>
            <span className="alarm">
              {count} {count === 1 ? 'session' : 'sessions'}
            </span>{' '}
            {count === 1 ? 'needs' : 'need'} cover
          </>
        ) : (
          calm.title
        )}
      </Figure>
      {calls === undefined ? null : calls.to_tell === 0 ? (
        <Figure well text="No calls are open.">
          No one to tell
        </Figure>
      ) : (
        <Figure
          well={false}
          text={`Next ${sayTime(parseTime(calls.next ?? '') ?? 0)}`}
          act={
            <Link to="/calls" search={{ location, date }} className={buttonClass({ size: 'lg' })}>
              Calls
            </Link>
          }
        >
          <span className={calls.urgent > 0 ? 'alarm' : undefined}>{calls.to_tell} to tell</span>
        </Figure>
      )}
      {wrong === undefined ? null : (
        <Figure
          well={wrong.length === 0}
          text={wrong.length === 0 ? 'No double booking, no broken rule.' : firstWrongWords(wrong)}
        >
          {wrong.length === 0 ? (
            'Nothing is wrong'
          ) : (
            <a href="#wrong" className="alarm">
              {wrongCountWords(wrong.length)}
            </a>
          )}
        </Figure>
      )}
    </div>
  );
}

/** One of the page's figures. `well`: there is nothing to do, so it is small and has a tick. */
function Figure({ well, text, act, children }: { well: boolean; text: string; act?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.figure}>
      {well ? (
        <p className={css.calm}>
          <Icon name="check" />
          {children}
        </p>
      ) : (
        <Headline>{children}</Headline>
      )}
      <p className="muted">{text}</p>
      {act}
    </div>
  );
}
