import type { ProposalReply } from '@clinic/contract';
import { whomToCall, type IsoDate, type Location } from '@clinic/domain';
import { isolated } from '../../../../shared/isolated.ts';
import { KEEP_TOLD, ALL_NEW, type Keep } from '../../keep.ts';
import { useOptionCalls, useOtherWay, type ForetoldLine } from '../api/use-ways.ts';
import { timeWords } from '../../../../shared/time-words.ts';
import css from './kept-told.module.css';

const WAYS = [
  { keep: 'told', label: KEEP_TOLD },
  { keep: 'nothing', label: ALL_NEW },
] as const satisfies readonly { keep: Keep; label: string }[];

/** How many calls are listed for each of the two ways to plan the day. */
const SHOWN = 2;

/**
 * Once people have been told about a day, shows the two ways to plan it side by side: keep what they were told, or
 * solve everything again. Each way lists the calls it would take.
 */
export function KeptTold({
  reply,
  location,
  date,
  busy,
  fresh,
  onSolve,
}: {
  reply: ProposalReply;
  location: Location;
  date: IsoDate;
  busy: boolean;
  /** Whether the day is unchanged since these options were made. */
  fresh: boolean;
  /** Switches to the other way to plan the day: shows the options in `ready`, or finds them if they are not ready. */
  onSolve: (keep: Keep, ready?: ProposalReply) => void;
}) {
  const told = reply.metadata.told?.[date];
  const value: Keep = told?.kept === false ? 'nothing' : 'told';
  const other = useOtherWay(reply, location, told !== undefined && fresh, value === 'told' ? 'nothing' : 'told');
  const calls = { here: useOptionCalls(told ? reply : undefined, date), other: useOptionCalls(other.reply, date) };
  if (!told) return null;
  const choose = (keep: Keep): void => {
    if (busy || keep === value) return;
    if (fresh && other.reply) other.keepThis();
    onSolve(keep, fresh ? other.reply : undefined);
  };
  return (
    <div className={css.ways} role="group" aria-label="After the first call">
      {WAYS.map(({ keep, label }) => {
        const on = keep === value;
        const { lines, failed } = on ? calls.here : calls.other;
        return (
          <section key={keep} className={css.way} data-on={on || undefined} aria-label={`${label}: calls`}>
            <p>
              <button type="button" aria-pressed={on} onClick={() => choose(keep)}>
                {label}
              </button>{' '}
              <b>{lines ? countWords(lines.length) : ''}</b>{' '}
              <span className="small muted" role="status">
                {busy && !on ? 'Finding options…' : on ? toldWords(told.people) : ''}
                {lines || !(failed || (!on && (other.failed || !fresh))) ? '' : 'Click to see who must be called.'}
              </span>
            </p>
            <FirstLines lines={lines ?? []} />
          </section>
        );
      })}
    </div>
  );
}

function FirstLines({ lines }: { lines: readonly ForetoldLine[] }) {
  if (lines.length === 0) return null;
  const more = lines.length - SHOWN;
  return (
    <ul className="small">
      {lines.slice(0, SHOWN).map((line, i) => (
        <li key={i} title={line.say.join(' ')}>
          {timeWords(line.first)} <b>{whomToCall(line.kind, line.name)}</b> {isolated(line.say.join(' '))}
        </li>
      ))}
      {more > 0 ? <li className="muted">and {more} more</li> : null}
    </ul>
  );
}

const toldWords = (people: number): string => (people === 1 ? '1 person was told' : `${people} people were told`);

const countWords = (people: number): string =>
  people === 0 ? 'no one to tell' : people === 1 ? '1 person to tell' : `${people} people to tell`;
