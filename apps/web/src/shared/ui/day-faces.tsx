import css from './day-faces.module.css';
import { useDay } from '../day-search.ts';
import { Link } from '../router/link.tsx';
import { lazyPart } from './lazy-part.tsx';

// The count loads after the page: the day itself comes first.
const CallBadge = lazyPart(() => import('./call-badge.tsx').then((m) => m.CallBadge), null, true);

const FACES = { '/': 'Today', '/calendar': 'Calendar', '/calls': 'Calls' } as const;
export const isDayFace = (path: string): boolean => path in FACES;

/**
 * The three faces of a day, at the start of each one's toolbar: links to the same day and location. With `counts`, also
 * how many people are to be told.
 */
export function DayFaces({ counts = true }: { counts?: boolean }) {
  const { chosen, location, date } = useDay();
  const search = { ...(chosen ? { date: chosen } : {}), location };
  return (
    <nav className={css.faces} aria-label="Day">
      {Object.entries(FACES).map(([to, label]) => (
        <Link key={to} to={to} search={search} marksCurrent>
          {label}
          {to === '/calls' && date && counts ? <CallBadge location={location} date={date} /> : null}
        </Link>
      ))}
    </nav>
  );
}
