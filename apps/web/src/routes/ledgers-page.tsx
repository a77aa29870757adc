import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../shared/api/client.ts';
import { queryKeys } from '../shared/api/query-client.ts';
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
import { Segmented } from '../shared/ui/segmented.tsx';
import { Notice } from '../shared/ui/states.tsx';
import { careCsv } from '../features/ledgers/care.ts';
import { CareSheet } from '../features/ledgers/components/care-sheet.tsx';
import { HoursSheet } from '../features/ledgers/components/hours-sheet.tsx';
import { hoursCsv } from '../features/ledgers/model.ts';

type Ledger = 'hours' | 'care';
const LEDGERS: { value: Ledger; label: string }[] = [
  { value: 'hours', label: 'Hours' },
  { value: 'care', label: 'Care' },
];

const useCare = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.care(location, date ?? ''),
    queryFn: ({ signal }) => call(ledgersEndpoints.care, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });

/** What the calendar adds up to: therapists' hours and clients' care; every figure leads to its sessions. */
export function LedgersPage() {
  const values = useSearch();
  const search = readDaySearch(values);
  const ledger: Ledger = values['ledger'] === 'care' ? 'care' : 'hours';
  const location = usePickedLocation(search.location);
  const today = useToday(location);
  const minutes = useWallMinutes(location);
  const date = search.date ?? today;
  const hours = useHours(location, ledger === 'hours' ? date : null);
  const care = useCare(location, ledger === 'care' ? date : null);
  const query = ledger === 'hours' ? hours : care;
  const isAdmin = useSessionInfo()?.account.role === 'admin';
  const go = (next: { date?: IsoDate; location?: Location; ledger?: Ledger }): void =>
    navigate({ to: '/ledgers', search: { ...(date ? { date } : {}), location, ledger, ...next }, replace: true });
  const csv = ledger === 'hours' ? hours.data && hoursCsv(hours.data) : care.data && careCsv(care.data);
  const title = ledger === 'hours' ? 'Hours' : 'Care';
  return (
    <Page
      title={title}
      toolbar={
        <>
          <h1>{title}</h1>
          <Segmented label="Ledger" value={ledger} options={LEDGERS} onChange={(next) => go({ ledger: next })} />
          {date && today ? <DatePicker value={date} today={today} onChange={(d) => go({ date: d })} /> : null}
          <LocationSelect value={location} onChange={(l) => go({ location: l })} />
          <span className="grow" />
          {csv ? (
            <Button onClick={() => saveFile(new Blob([csv], { type: 'text/csv' }), `${ledger}-${date ?? ''}.csv`)}>
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
            title="Failed to load the figures. Please try again."
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          />
        ) : null}
        {ledger === 'hours' && hours.data && date && today ? (
          <HoursSheet reply={hours.data} date={date} now={{ date: today, minutes: minutes ?? 0 }} isAdmin={isAdmin} />
        ) : null}
        {ledger === 'care' && care.data && date ? <CareSheet reply={care.data} date={date} /> : null}
      </Sheet>
    </Page>
  );
}
