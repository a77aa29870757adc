import { locationLabel, longDate } from '@clinic/domain';
import { useHours } from '../shared/api/use-hours.ts';
import { useWallMinutes } from '../shared/clinic-clock.ts';
import { useDayPage } from '../shared/day-search.ts';
import { navigate } from '../shared/router/history.ts';
import { Link } from '../shared/router/link.tsx';
import { saveFile } from '../shared/save-file.ts';
import { managesClinic } from '../shared/session/manages-clinic.ts';
import { LEDGERS, ledgerPath } from '../shared/shell/places.ts';
import { useSessionInfo } from '../shared/session/session-info.ts';
import { Button, buttonClass } from '../shared/ui/button.tsx';
import { DayChoice, DayFailure } from '../shared/ui/day-page.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { PrintedTitle } from '../shared/ui/printed-title.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { useAuthorizations, useCare, useSupervision } from '../features/ledgers/api/use-ledgers.ts';
import { authorizationsCsv } from '../features/ledgers/authorizations.ts';
import { careCsv } from '../features/ledgers/care.ts';
import { AuthorizationsSheet } from '../features/ledgers/components/authorizations-sheet.tsx';
import { CareSheet } from '../features/ledgers/components/care-sheet.tsx';
import { HoursSheet } from '../features/ledgers/components/hours-sheet.tsx';
import { SupervisionSheet } from '../features/ledgers/components/supervision-sheet.tsx';
import { csvName, hoursCsv } from '../features/ledgers/model.ts';
import { supervisionCsv } from '../features/ledgers/supervision.ts';

const LABELS = { hours: 'Hours', care: 'Care', supervision: 'Supervision', authorizations: 'Authorizations' } as const;
const OPTIONS = LEDGERS.map((value) => ({ value, label: LABELS[value] }));

/** What the calendar adds up to: hours, care, supervision and authorizations. Clicking a figure shows its sessions. */
export function LedgersPage({ path }: { path: string }) {
  const ledger = LEDGERS.find((each) => ledgerPath(each) === path) ?? 'hours';
  const title = LABELS[ledger];
  const { location, today, date, place, go } = useDayPage();
  const minutes = useWallMinutes(location);
  const hours = useHours(location, ledger === 'hours' ? date : null);
  const care = useCare(location, ledger === 'care' ? date : null);
  const supervision = useSupervision(location, ledger === 'supervision' ? date : null);
  const authorizations = useAuthorizations(location, ledger === 'authorizations' ? date : null);
  const query = { hours, care, supervision, authorizations }[ledger];
  const isAdmin = managesClinic(useSessionInfo()?.account);
  const csv = {
    hours: hours.data && hoursCsv(hours.data),
    care: care.data && careCsv(care.data),
    supervision: supervision.data && supervisionCsv(supervision.data),
    authorizations: authorizations.data && authorizationsCsv(authorizations.data),
  }[ledger];
  return (
    <Page
      title={title}
      toolbar={
        <>
          <h1 className="roomy">Hours &amp; authorizations</h1>
          <Segmented
            label="Ledger"
            value={ledger}
            options={OPTIONS}
            onChange={(next) => navigate({ to: ledgerPath(next), search: place })}
          />
          <DayChoice date={date} today={today} location={location} onGo={go} />
          <span className="grow" />
          {ledger === 'care' ? (
            <Link to="/make-up" search={{ location }} className={buttonClass({})}>
              Make up lost time
            </Link>
          ) : null}
          {csv && date ? (
            <Button onClick={() => saveFile(new Blob([csv], { type: 'text/csv' }), csvName(ledger, location, date))}>
              Save as CSV
            </Button>
          ) : null}
        </>
      }
    >
      <Sheet fills="parts">
        {date ? <PrintedTitle>{`${title}, ${locationLabel(location)}, ${longDate(date)}`}</PrintedTitle> : null}
        <DayFailure what="the figures" location={location} query={query} onGo={go} />
        {ledger === 'hours' && hours.data && date && today ? (
          <HoursSheet reply={hours.data} date={date} now={{ date: today, minutes: minutes ?? 0 }} isAdmin={isAdmin} />
        ) : null}
        {ledger === 'care' && care.data && date ? <CareSheet reply={care.data} date={date} /> : null}
        {ledger === 'supervision' && supervision.data && date ? (
          <SupervisionSheet reply={supervision.data} date={date} />
        ) : null}
        {ledger === 'authorizations' && authorizations.data && date ? (
          <AuthorizationsSheet reply={authorizations.data} date={date} isAdmin={isAdmin} />
        ) : null}
      </Sheet>
    </Page>
  );
}
