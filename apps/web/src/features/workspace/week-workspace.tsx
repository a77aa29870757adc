import { useMemo } from 'react';
import { useWeek } from '../calendar/api/use-week.ts';
import { CalendarSkeleton } from '../calendar/components/calendar-skeleton.tsx';
import { StaffWeek } from '../calendar/components/staff-week.tsx';
import { staffLines } from '../calendar/staff-week.ts';
import { useClosures } from '../closures/api.ts';
import { useHours } from '../../shared/api/use-hours.ts';
import { navigate } from '../../shared/router/history.ts';
import { useSessionInfo } from '../../shared/session/session-info.ts';
import { ForeignLocation, isForbidden } from '../../shared/ui/foreign-location.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { EmptyState, Skeleton, Skeletons } from '../../shared/ui/states.tsx';
import { PersonWeek, type ShownWeek } from './person-week.tsx';

/** Loads a week, with who is in it. */
export function useShownWeek({ location, date, view }: ShownWeek) {
  const closures = useClosures();
  const admin = useSessionInfo()?.admin_client_name ?? 'Admin';
  return useWeek(location, date, view, admin, closures.data);
}

/** The week of a person, or of everyone at a location. */
export function WeekWorkspace({ week, ...shown }: ShownWeek & { week: ReturnType<typeof useShownWeek> }) {
  const { location, date, view, person } = shown;
  const hours = useHours(location, view === 'therapist' ? date : null).data?.rows;
  const lines = useMemo(
    () => (week.days && person === null ? staffLines(week.days, view) : []),
    [week.days, view, person],
  );
  if (isForbidden(week.error))
    return (
      <ForeignLocation location={location} onGo={(to) => navigate({ search: (now) => ({ ...now, location: to }) })} />
    );
  const known = week.people.find(({ id }) => id === person);
  return (
    <>
      <LoadFailure what="the week" query={week} />
      {week.days === null ? (
        week.error ? null : shown.onPage ? (
          <Skeletons>
            <Skeleton style={{ height: '24rem', width: '100%' }} />
          </Skeletons>
        ) : (
          <CalendarSkeleton />
        )
      ) : person === null ? (
        <StaffWeek
          days={week.days}
          lines={lines}
          view={view}
          location={location}
          idOf={(name) => week.people.find((each) => each.type === view && each.name === name)?.id}
          mostOf={(name) => hours?.find((row) => row.name === name)?.most}
        />
      ) : known ? (
        <PersonWeek
          {...shown}
          name={known.name}
          credential={known.credential}
          days={week.days}
          people={week.people.filter((each) => each.former !== true)}
          hours={hours?.find(({ id }) => id === known.id)}
        />
      ) : (
        <EmptyState title="This person has nothing here this week">
          They may be at another location, or have left. Choose someone else above.
        </EmptyState>
      )}
    </>
  );
}
