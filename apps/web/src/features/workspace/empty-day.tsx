import { locationLabel, type Location } from '@clinic/domain';
import type { View } from '../calendar/bars.ts';
import css from './workspace.module.css';
import { Link } from '../../shared/router/link.tsx';
import { useSessionInfo } from '../../shared/session/session-info.ts';
import { placesFor } from '../../shared/shell/places.ts';
import { Button, buttonClass } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';

/**
 * Says why there are no rows: nothing matches the search, or the location has no people. (Everyone at a location has
 * a row, even without hours that day.)
 */
export function EmptyDay({
  find,
  onlyOpen,
  view,
  location,
  onAll,
}: {
  find: string;
  onlyOpen: boolean;
  view: View;
  location: Location;
  onAll: () => void;
}) {
  const canImport = placesFor(useSessionInfo()?.account).some(({ to }) => to === '/import');
  const all = <Button onClick={onAll}>Show all rows</Button>;
  const people = view === 'client' ? 'clients' : 'therapists';
  return (
    <div className={css.fill}>
      {find !== '' ? (
        <EmptyState title={`No one matches “${find}”`} action={all}>
          Try fewer letters, the other view, or another location.
        </EmptyState>
      ) : onlyOpen ? (
        <EmptyState title="Nothing needs cover" action={all}>
          Choose another day or location.
        </EmptyState>
      ) : (
        <EmptyState
          title={`No ${people} at ${locationLabel(location)}`}
          action={
            <div className={css.acts}>
              <Link to="/profiles" className={buttonClass({})}>
                Open the profiles
              </Link>
              {canImport ? (
                <Link to="/import" className={buttonClass({})}>
                  Import
                </Link>
              ) : null}
            </div>
          }
        >
          {canImport
            ? `Choose another location, import this one’s ${people}, or add them in the profiles.`
            : `Choose another location, or add ${people} to this one in the profiles.`}
        </EmptyState>
      )}
    </div>
  );
}
