import { useQuery } from '@tanstack/react-query';
import type { IsoDate, Location } from '@clinic/domain';
import { callCountQuery } from '../api/call-count.ts';
import { callCountWords } from '../call-count-words.ts';
import { Link } from '../router/link.tsx';
import css from './call-badge.module.css';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';

interface Day {
  location: Location;
  date: IsoDate;
}

/** How many people must be told about the day; a check mark when everyone has been. Nothing until it is known. */
export function CallBadge({ location, date }: Day) {
  const { data } = useQuery(callCountQuery(location, date));
  if (!data) return null;
  if (data.to_tell === 0)
    return (
      <span className={css.done}>
        <Icon name="check" />
        <span className="sr">: no one to tell</span>
      </span>
    );
  return (
    <>
      <span className="sr">: </span>
      <span className={css.badge} data-urgent={data.urgent > 0 || undefined}>
        {data.to_tell}
      </span>
      <span className="sr"> to tell</span>
    </>
  );
}

/** `12 to tell, next 8:15`, with the way to the call list. Nothing while there is no one to tell. */
export function CallsToMake({ location, date }: Day) {
  const { data } = useQuery(callCountQuery(location, date));
  const words = data && callCountWords(data);
  if (!words) return null;
  return (
    <span className={css.todo}>
      <span className="alarm">{words}</span>
      <Link to="/calls" search={{ location, date }} className={buttonClass({ size: 'sm' })}>
        Calls
      </Link>
    </span>
  );
}
