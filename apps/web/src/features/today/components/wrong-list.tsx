import type { TodayReply, Wrong } from '@clinic/contract';
import { Link } from '../../../shared/router/link.tsx';
import { navigate } from '../../../shared/router/history.ts';
import { Button, buttonClass } from '../../../shared/ui/button.tsx';
import { useAct } from '../../../shared/use-act.ts';
import { coverWrong } from '../api/use-today.ts';
import { onAxis, stretchWords } from '../model.ts';
import { wrongWords } from '../well-words.ts';
import { Axis, Lane, type AxisDay } from './axis.tsx';
import css from './axis.module.css';

/** What is wrong on the day besides sessions without a therapist. Each line leads to where it can be put right. */
export function WrongList({ list, day }: { list: NonNullable<TodayReply['wrong']>; day: AxisDay }) {
  const { location, date } = day;
  const { busy, act } = useAct('the list');
  const cover = (sessions: readonly string[]): void =>
    act(
      () => coverWrong({ location, date, sessions: [...sessions] }),
      () => navigate({ to: '/calendar', search: { date, location, options: 'open' } }),
    );
  const toCover = list.flatMap(({ by_cover, sessions }) => (by_cover === true ? sessions.map(({ key }) => key) : []));
  return (
    <>
      <Axis title="Things that are wrong" id="wrong" now={day.now}>
        {list.map((wrong) => (
          <WrongLane
            key={`${wrong.kind} ${wrong.sessions[0]?.key ?? ''}`}
            wrong={wrong}
            day={day}
            busy={busy}
            onCover={cover}
          />
        ))}
      </Axis>
      {toCover.length > 1 ? (
        <p className={css.all}>
          <Button data-writes unavailable={busy} onClick={() => cover(toCover)}>
            Find cover for these {toCover.length}
          </Button>
        </p>
      ) : null}
    </>
  );
}

function WrongLane({
  wrong,
  day: { location, date },
  busy,
  onCover,
}: {
  wrong: Wrong;
  day: AxisDay;
  busy: boolean;
  onCover: (sessions: readonly string[]) => void;
}) {
  const { title, text } = wrongWords(wrong, location);
  const { kind, sessions, person, times = [] } = wrong;
  const view = person?.type ?? 'client';
  const find = { date, location, view, find: person?.name ?? sessions[0]?.client ?? '' };
  const sr = <span className="sr">: {title}</span>;
  const link = (words: string, options?: 'open') => (
    <Link to="/calendar" search={options ? { ...find, options } : find} className={buttonClass({ size: 'sm' })}>
      {words}
      {sr}
    </Link>
  );
  return (
    <Lane
      who={
        <>
          <Link to="/calendar" search={find}>
            {title}
          </Link>
          <span className="small muted">{text}</span>
        </>
      }
      strip={
        <>
          {sessions.map(({ key, start, end, client, therapist }, i) => {
            const at = onAxis(start, end);
            const name = (view === 'client' && kind === 'twice' ? therapist : client) ?? '';
            return at ? (
              <span
                key={key}
                className={css.wrong}
                data-kind={kind}
                data-lane={i === 0 ? 'first' : 'second'}
                style={{ '--start': at.s, '--span': at.d }}
                title={`${name}, ${stretchWords(start, end)}`}
                aria-hidden="true"
              >
                <span>{name}</span>
              </span>
            ) : null;
          })}
          {kind === 'twice'
            ? times.map(({ start, end }) => {
                const at = onAxis(start, end);
                return at ? <span key={start} className={css.hit} style={{ '--start': at.s, '--span': at.d }} /> : null;
              })
            : null}
        </>
      }
      end={
        wrong.by_cover === true ? (
          <Button data-writes size="sm" unavailable={busy} onClick={() => onCover(sessions.map(({ key }) => key))}>
            Find cover{sr}
          </Button>
        ) : kind === 'twice' ? (
          link('Choose one')
        ) : kind === 'to-submit' ? (
          link('See options', 'open')
        ) : (
          link('Open')
        )
      }
    />
  );
}
