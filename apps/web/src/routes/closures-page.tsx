import { useState } from 'react';
import { ClosedLocation } from '../features/closures/closed-list.tsx';
import { ClosingForm, emptyDraft, type Draft } from '../features/closures/closing-form.tsx';
import { Holidays } from '../features/closures/holidays.tsx';
import { useClosures } from '../features/closures/api.ts';
import { useToday } from '../shared/clinic-clock.ts';
import { usePickedLocation } from '../shared/session/session-info.ts';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Skeleton } from '../shared/ui/states.tsx';
import { MainColumn, SideColumn, SideList, SideSection, TwoColumns } from '../shared/ui/two-columns.tsx';

/** Closes a location for a time, reopens it, and keeps the holidays of the year ahead. */
export function ClosuresPage() {
  const location = usePickedLocation(undefined);
  const today = useToday(location);
  const query = useClosures();
  const [draft, setDraft] = useState<Draft | null>(null);
  const shown = draft ?? (today && emptyDraft(location, today));
  const closures = query.data ?? [];
  const closed = closures.filter(({ holiday }) => !holiday);
  return (
    <Page title="Close a location" toolbar={<h1>Close a location</h1>}>
      <Sheet fills="parts">
        <TwoColumns>
          <MainColumn label="Closing">
            {shown ? <ClosingForm draft={shown} onChange={setDraft} onDone={() => setDraft(null)} /> : <Skeleton />}
          </MainColumn>
          <SideColumn label="Closed locations and holidays">
            <LoadFailure what="the closures" query={query} />
            {query.isPending ? <Skeleton /> : null}
            {query.data && today ? (
              <>
                <SideSection id="closed" title="Closed">
                  {closed.length === 0 ? <p className="muted">No location is closed.</p> : null}
                  <SideList>
                    {closed.map((each) => (
                      <ClosedLocation key={each.id} closure={each} today={today} />
                    ))}
                  </SideList>
                </SideSection>
                <SideSection id="holidays" title="Holidays ahead">
                  <Holidays
                    closures={closures}
                    onClose={(day, everywhere) =>
                      setDraft({
                        location: everywhere ? 'all' : day.location,
                        from_date: day.from_date,
                        from_time: day.from_time === '00:00' ? '' : day.from_time,
                        to_date: day.to_date,
                        to_time: day.to_time === '24:00' ? '' : day.to_time,
                        name: day.name,
                        cause: 'closed',
                        // On a holiday, nobody works from home either.
                        cancelVideo: true,
                        cancelShort: false,
                      })
                    }
                  />
                </SideSection>
              </>
            ) : null}
          </SideColumn>
        </TwoColumns>
      </Sheet>
    </Page>
  );
}
