import { useState } from 'react';
import type { HoursRow } from '@clinic/contract';
import { formatTime, type IsoDate, type Location } from '@clinic/domain';
import { useHours } from '../shared/api/use-hours.ts';
import { useToday, useWallMinutes } from '../shared/clinic-clock.ts';
import { readDaySearch } from '../shared/day-search.ts';
import { navigate, useSearch } from '../shared/router/history.ts';
import { saveFile } from '../shared/save-file.ts';
import { usePickedLocation, useSessionInfo } from '../shared/session/session-info.ts';
import { Button } from '../shared/ui/button.tsx';
import { DatePicker } from '../shared/ui/date-picker.tsx';
import { ForeignLocation, isForbidden } from '../shared/ui/foreign-location.tsx';
import { LocationSelect } from '../shared/ui/location-select.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { EmptyState, Notice } from '../shared/ui/states.tsx';
import { HoursSessions } from '../features/ledgers/components/hours-sessions.tsx';
import { HoursTable } from '../features/ledgers/components/hours-table.tsx';
import css from '../features/ledgers/components/ledger.module.css';
import { RulesForm } from '../features/ledgers/components/rules-form.tsx';
import { hoursCsv, weekWords, type Figure } from '../features/ledgers/model.ts';

/** What the calendar adds up to, a therapist a row; every figure leads to its sessions. */
export function LedgersPage() {
  const search = readDaySearch(useSearch());
  const location = usePickedLocation(search.location);
  const today = useToday(location);
  const minutes = useWallMinutes(location);
  const date = search.date ?? today;
  const query = useHours(location, date);
  const [opened, setOpened] = useState<{ row: HoursRow; figure: Figure } | null>(null);
  const go = (next: { date?: IsoDate; location?: Location }): void =>
    navigate({ to: '/ledgers', search: { ...(date ? { date } : {}), location, ...next }, replace: true });
  const reply = query.data;
  const isAdmin = useSessionInfo()?.account.role === 'admin';
  return (
    <Page
      title="Hours"
      toolbar={
        <>
          <h1>Hours</h1>
          {date && today ? <DatePicker value={date} today={today} onChange={(d) => go({ date: d })} /> : null}
          <LocationSelect value={location} onChange={(l) => go({ location: l })} />
          <span className="grow" />
          {reply ? (
            <Button
              onClick={() => saveFile(new Blob([hoursCsv(reply)], { type: 'text/csv' }), `hours-${reply.from}.csv`)}
            >
              Save as CSV
            </Button>
          ) : null}
        </>
      }
    >
      <Sheet fills="parts">
        {isForbidden(query.error) ? (
          <ForeignLocation location={location} onGo={(l) => go({ location: l })} />
        ) : query.error ? (
          <Notice
            tone="error"
            title="Failed to load the hours. Please try again."
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          />
        ) : null}
        {reply ? (
          <>
            <div className={css.notes}>
              <p className="muted small">{weekWords(reply)}. Cover counts the days up to the date chosen.</p>
              {reply.off.map((off) => (
                <p key={off.rule}>{off.words}</p>
              ))}
              {isAdmin ? <RulesForm /> : null}
            </div>
            {reply.rows.length > 0 ? (
              <HoursTable rows={reply.rows} onOpen={(row, figure) => setOpened({ row, figure })} />
            ) : (
              <EmptyState title="No therapists">No one is with the clinic here on this date.</EmptyState>
            )}
          </>
        ) : null}
        {opened && date && today ? (
          <HoursSessions
            {...opened}
            date={date}
            now={{ date: today, time: formatTime(minutes ?? 0) }}
            onClose={() => setOpened(null)}
          />
        ) : null}
      </Sheet>
    </Page>
  );
}
