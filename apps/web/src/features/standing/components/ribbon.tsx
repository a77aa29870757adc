import type { CSSProperties } from 'react';
import type { StandingReply } from '@clinic/contract';
import { isoDate, shortDate } from '@clinic/domain';
import { Icon } from '../../../shared/ui/icon.tsx';
import type { Piece } from '../model.ts';
import css from './standing.module.css';

const HOW = { team: 'team', known: 'known', new: 'new face' } as const;

/** A line of a series: who takes it in each week. */
export function Ribbon({
  pieces,
  weeks,
  people,
  open,
  onOpen,
}: {
  pieces: readonly Piece[];
  weeks: number;
  people: StandingReply['people'];
  /** The date whose reason is shown. */
  open: string | null;
  onOpen: (date: string, why: string) => void;
}) {
  const place = ({ at, weeks: count }: Piece): CSSProperties => ({
    left: `${(at / weeks) * 100}%`,
    width: `calc(${(count / weeks) * 100}% - 3px)`,
  });
  return (
    <div className={css.ribbon} style={{ '--weeks': weeks }}>
      {pieces.map((piece) => {
        const { kind, at, run, date = '', why = '' } = piece;
        if (kind === 'open')
          return (
            <button
              key={at}
              type="button"
              className={css.open}
              style={place(piece)}
              data-open-date
              aria-expanded={open === date}
              aria-label={`${shortDate(isoDate(date))} is left to that day: why?`}
              onClick={() => onOpen(date, why)}
            >
              <Icon name="nobody" />
            </button>
          );
        if (kind === 'none' || !run) return <i key={at} className={css.none} style={place(piece)} title="No session" />;
        const name = people[run.therapist]?.name ?? '';
        return (
          <span
            key={at}
            className={css.run}
            data-new={run.knows === 'new' || undefined}
            style={place(piece)}
            title={`${name}, ${HOW[run.knows]}`}
          >
            {piece.named ? (
              <>
                {name} <em>{HOW[run.knows]}</em>
              </>
            ) : (
              <span className="sr">{name}</span>
            )}
          </span>
        );
      })}
    </div>
  );
}
