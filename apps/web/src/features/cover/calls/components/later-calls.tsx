import type { LaterCalls as Later } from '@clinic/contract';
import { isoDate, shortDate, type Location } from '@clinic/domain';
import { Link } from '../../../../shared/router/link.tsx';
import { SideList, SideSection } from '../../../../shared/ui/two-columns.tsx';
import { useLaterCalls, type CallDay } from '../api/use-calls.ts';

/**
 * The later dates on which people must be told, each with a link to its call list. Renders nothing when there are none.
 */
export function LaterCalls({ day }: { day: CallDay }) {
  const { data = [] } = useLaterCalls(day.location, day.date);
  if (data.length === 0) return null;
  return (
    <SideSection id="later-calls" title="People to tell on later days">
      <SideList>
        {data.map((each) => (
          <LaterDay key={each.date} location={day.location} later={each} />
        ))}
      </SideList>
    </SideSection>
  );
}

function LaterDay({ location, later: { date, to_tell: people } }: { location: Location; later: Later[number] }) {
  return (
    <li>
      <span>{shortDate(isoDate(date))}</span>
      <Link to="/calls" search={{ date: isoDate(date), location }}>
        {`${people} to tell`}
        <span className="sr">{` on ${shortDate(isoDate(date))}`}</span>
      </Link>
    </li>
  );
}
