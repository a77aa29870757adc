import { duration, timeSlot, type Interval } from '@clinic/domain';
import css from './calendar-foot.module.css';
import { Button, buttonClass } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { cx } from '../../../shared/ui/class-names.ts';
import { useDay } from '../../../shared/day-search.ts';
import { Link } from '../../../shared/router/link.tsx';
import { toCancelWords, wrongCountWords } from '../../../shared/to-cancel-words.ts';
import { Menu } from '../../../shared/ui/menu.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import type { Density } from '../use-density.ts';

const CallsToMake = lazyPart(() => import('../../../shared/ui/call-badge.tsx').then((m) => m.CallsToMake), null, true);

const KEY = [
  ['available', 'Available'],
  ['booked', 'Appointment'],
  ['cover', 'Cover'],
  ['supervision', 'Supervision'],
  ['admin', 'Administrative'],
  ['open', 'Needs cover'],
  ['gone', 'Cancelled'],
  ['away', 'Away'],
] as const;

interface Named extends Interval {
  readonly client: string;
  readonly therapist: string;
}

/** The legend, a count of what needs cover or is to be cancelled, and the button that opens the options. */
export function CalendarFoot<Session extends Named>({
  needs,
  outside,
  density,
  onlyOpen,
  busy,
  late,
  onDensity,
  onOnlyOpen,
  onOptions,
  onOutside,
  onAdd,
}: {
  /**
   * What needs cover; `toCancel` counts the sessions that are not cancelled yet although their client is away, `wrong`
   * what else is wrong. Today lists these.
   */
  needs: { sessions: number; minutes: number; toCancel: number; wrong: number };
  /** The sessions that lie outside 7:00 AM to 7:00 PM, the hours on the grid. */
  outside: readonly Session[];
  /** Whether the server is finding options. */
  busy: boolean;
  /** Whether the day has been shown for a moment. */
  late: boolean;
  onOptions: () => void;
  onOutside: (session: Session) => void;
  onAdd: () => void;
} & Shown) {
  const { location, date } = useDay();
  return (
    <footer className={css.foot}>
      <button data-writes type="button" className={buttonClass({ size: 'sm' })} onClick={onAdd}>
        <Icon name="plus" />
        Add a session
      </button>
      <DisplayMenu density={density} onlyOpen={onlyOpen} onDensity={onDensity} onOnlyOpen={onOnlyOpen} />
      {date ? (
        <Link to="/ledgers/hours" search={{ location, date }} className={buttonClass({ size: 'sm' })}>
          Hours
        </Link>
      ) : null}
      <ul className={css.legend} aria-label="Legend">
        {KEY.map(([kind, label]) => (
          <li key={kind}>
            <span className={cx(css.key, css[kind])} />
            {label}
          </li>
        ))}
      </ul>
      <span className={css.sideways}>Scroll sideways to see all hours.</span>
      <span className="grow" />
      {needs.wrong > 0 ? <WrongLink count={needs.wrong} /> : null}
      {outside.length > 0 ? <Outside sessions={outside} onOpen={onOutside} /> : null}
      {needs.sessions > 0 || needs.toCancel > 0 ? (
        <>
          <span className={css.need}>
            {needs.sessions === 0 ? (
              toCancelWords(needs.toCancel)
            ) : (
              <>
                <b>{needs.sessions === 1 ? '1 session' : `${needs.sessions} sessions`}</b>{' '}
                {needs.sessions === 1 ? 'needs' : 'need'} cover, {duration(needs.minutes)}
              </>
            )}
          </span>
          <Button data-writes size="sm" unavailable={busy} onClick={onOptions}>
            {busy ? 'Working...' : 'See options'}
          </Button>
        </>
      ) : null}
      {date && late ? <CallsToMake location={location} date={date} /> : null}
    </footer>
  );
}

interface Shown {
  density: Density;
  onlyOpen: boolean;
  onDensity: (density: Density) => void;
  onOnlyOpen: (only: boolean) => void;
}

/** Which rows the calendar shows, and how high. */
const DisplayMenu = ({ density, onlyOpen, onDensity, onOnlyOpen }: Shown) => (
  <Menu
    className={buttonClass({ size: 'sm' })}
    label="Display"
    entries={[
      { kind: 'choice', label: 'Compact rows', chosen: density === 'compact', run: () => onDensity('compact') },
      { kind: 'choice', label: 'Spacious rows', chosen: density === 'roomy', run: () => onDensity('roomy') },
      { kind: 'line' },
      { kind: 'choice', label: 'All rows', chosen: !onlyOpen, run: () => onOnlyOpen(false) },
      { kind: 'choice', label: 'Only rows that need cover', chosen: onlyOpen, run: () => onOnlyOpen(true) },
      { kind: 'line' },
      { label: 'Print this day', keys: 'Ctrl P', run: () => window.print() },
    ]}
  >
    Display
  </Menu>
);

/** How many things are wrong on the day, as a link to Today, which lists them. */
function WrongLink({ count }: { count: number }) {
  const { location, date } = useDay();
  return (
    <Link to="/" search={{ location, ...(date ? { date } : {}) }} className="alarm">
      {wrongCountWords(count)}
    </Link>
  );
}

/** The count of sessions that have no bar. It leads to each of them. */
function Outside<Session extends Named>({
  sessions,
  onOpen,
}: {
  sessions: readonly Session[];
  onOpen: (session: Session) => void;
}) {
  const words = `${sessions.length === 1 ? '1 session' : `${sessions.length} sessions`} outside 7 AM - 7 PM`;
  return (
    <Menu
      className={cx(css.display, css.outside)}
      label={words}
      entries={sessions.map((session) => ({
        label: `${timeSlot(session.start, session.end)}: ${session.therapist}, ${session.client}`,
        run: () => onOpen(session),
      }))}
    >
      {words}
    </Menu>
  );
}
