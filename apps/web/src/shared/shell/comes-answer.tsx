import { useQuery } from '@tanstack/react-query';
import { callsEndpoints } from '@clinic/contract';
import { longDate } from '@clinic/domain';
import css from './palette.module.css';
import { queryKeys } from '../api/query-client.ts';
import { onDay, queryOf } from '../api/query-of.ts';
import { slotsQuery } from '../api/slots-query.ts';
import { comesLines, type Asked } from './who-comes.ts';

/** Who comes to whom, for the people and dates that were asked about. Screen readers read it once it is known. */
export const ComesAnswer = ({ asked }: { asked: readonly Asked[] }) => (
  <div className={css.answer} role="status">
    {asked.map((each) => (
      <Answer key={`${each.type} ${each.id} ${each.date}`} {...each} />
    ))}
  </div>
);

/** Nothing is said of a day before its sessions and its call list have loaded: someone may not have agreed yet. */
function Answer(asked: Asked) {
  const { name, location, date } = asked;
  const day = useQuery(slotsQuery(location, date));
  const calls = useQuery(queryOf(queryKeys.calls(location, date), callsEndpoints.list, onDay(location, date)));
  const lines =
    day.error || calls.error
      ? ['Could not load this day. Try again in a moment.']
      : day.data && calls.data
        ? comesLines(asked, day.data, calls.data)
        : ['Still loading the day'];
  return (
    <>
      <p>
        <b>{name}</b> <span className="muted">{longDate(date)}</span>
      </p>
      <ul>
        {lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    </>
  );
}
