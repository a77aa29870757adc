import { useState } from 'react';
import { duration, weekdayName, type Location } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { Loading } from '../../../shared/ui/loading.tsx';
import { Page, Sheet } from '../../../shared/ui/page.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { EmptyState } from '../../../shared/ui/states.tsx';
import { navigate } from '../../../shared/router/history.ts';
import { WEEK } from '../model.ts';
import { useWhoCould } from '../use-times.ts';
import { timeWords } from '../../../shared/time-words.ts';
import css from '../find-a-time.module.css';

const DAYS = WEEK.map((day) => ({ value: String(day), label: weekdayName(day).slice(0, 3) }));
const KNOWS = { team: 'on the child’s team', known: 'known to the child', new: 'new to the child' } as const;

/** Who could use a therapist's free time on a day of the week; each choice opens the search for that child. */
export function WhoCould({
  location,
  therapist,
  from = '2',
}: {
  location: Location;
  therapist: string;
  /** The day of the week that is shown first. */
  from?: string | undefined;
}) {
  const [weekday, setWeekday] = useState(from);
  const query = useWhoCould(location, therapist, Number(weekday));
  const day = weekdayName(Number(weekday));
  return (
    <Page
      title={`Who could use ${therapist}’s time`}
      toolbar={
        <>
          <h1>Who could use {therapist}’s time?</h1>
          <Segmented label="Day of the week" value={weekday} options={DAYS} onChange={setWeekday} />
        </>
      }
    >
      <Sheet fills="scrolling">
        <div className={css.who}>
          <Loading what="who could" query={query} height="16rem">
            {(reply) =>
              reply.free.length === 0 ? (
                <EmptyState title={`${therapist} has no free hour on most ${day}s`}>Choose another day.</EmptyState>
              ) : (
                <>
                  <p>
                    Free on most {day}s of the next 12 weeks:{' '}
                    {reply.free.map(({ start, end }) => `${timeWords(start)} – ${timeWords(end)}`).join(', ')}
                  </p>
                  {reply.could.length === 0 ? <p>No child at this location could use it.</p> : null}
                  <ul>
                    {reply.could.map(({ client, start, end, knows, lost }) => (
                      <li key={client}>
                        <span>
                          <b>{client}</b> {timeWords(start)} – {timeWords(end)}, {KNOWS[knows]}
                          {lost > 0 ? `, lost ${duration(lost)} in four weeks` : ''}
                        </span>
                        <Button
                          size="sm"
                          onClick={() => navigate({ search: { location, client, therapist, weekday, start, end } })}
                        >
                          Find a time<span className="sr"> for {client}</span>
                        </Button>
                      </li>
                    ))}
                  </ul>
                </>
              )
            }
          </Loading>
        </div>
      </Sheet>
    </Page>
  );
}
