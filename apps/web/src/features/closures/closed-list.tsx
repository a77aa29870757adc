import { useState } from 'react';
import type { Closure } from '@clinic/contract';
import { isoDate, locationLabel, shortDate, type IsoDate } from '@clinic/domain';
import css from './closures.module.css';
import { saidWords } from '../../shared/api/failure-words.ts';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { useAct } from '../../shared/use-act.ts';
import { reopenLocation, useReopening } from './api.ts';
import { count, whenWords } from './words.ts';

/** A closed location, and what reopening it would bring back. */
export function ClosedLocation({ closure, today }: { closure: Closure; today: IsoDate }) {
  const { id, location, name, by, cancelled } = closure;
  const [open, setOpen] = useState(false);
  return (
    <li>
      <span>
        <b>{locationLabel(location)}</b>, {whenWords(closure)}
        <br />
        <span className="small muted">
          {name}
          {by === null ? '' : ` · by ${by}`} · {count(cancelled, 'session', 'sessions')} cancelled
        </span>
      </span>
      <Button variant="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        Reopen<span className="sr"> {locationLabel(location)}</span>
      </Button>
      {open ? <Reopening id={id} closure={closure} today={today} /> : null}
    </li>
  );
}

function Reopening({ id, closure, today }: { id: string; closure: Closure; today: IsoDate }) {
  const { location, from_date, to_date } = closure;
  const rest = from_date < today && today <= to_date;
  const on = { id, location, from: rest ? today : undefined };
  const { data, error } = useReopening(on);
  const { busy, act } = useAct('the closures');
  const run = (): void =>
    act(
      () => reopenLocation(on),
      ({ back, families, staff }) =>
        toast({
          text: `${locationLabel(location)} is open again: ${count(back, 'session is', 'sessions are')} back, ${count(families, 'family', 'families')} and ${staff} staff to tell.`,
        }),
    );
  if (error) return <p className={css.reopen}>{saidWords(error)}</p>;
  if (!data) return <p className={css.reopen}>Looking at the sessions…</p>;
  return (
    <div className={css.reopen}>
      <p>
        <b>Reopening{rest ? ' from today' : ''}</b> brings back {data.back} of{' '}
        {count(data.back + data.stays.length, 'session', 'sessions')}, exactly as they were.{' '}
        {count(data.families, 'family', 'families')} and {data.staff} staff to tell.
      </p>
      {data.stays.length > 0 ? (
        <ul className="small">
          {data.stays.slice(0, 8).map(({ date, time, client, why }) => (
            <li key={`${date} ${time} ${client}`}>
              {dayWords(date)}, {time}: {client} stays, {why}
            </li>
          ))}
          {data.stays.length > 8 ? <li>and {data.stays.length - 8} more</li> : null}
        </ul>
      ) : null}
      <Button size="sm" unavailable={busy} onClick={run}>
        {rest ? 'Reopen from today' : 'Reopen'}
      </Button>
    </div>
  );
}

const dayWords = (date: string): string => shortDate(isoDate(date));
