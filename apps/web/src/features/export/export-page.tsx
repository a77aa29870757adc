import { useState } from 'react';
import { defaultLocation } from '@clinic/domain';
import { saidWords } from '../../shared/api/failure-words.ts';
import { useToday } from '../../shared/clinic-clock.ts';
import { instantWords } from '../../shared/instant-words.ts';
import { useLocations } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Checkbox } from '../../shared/ui/field.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { downloadWords, Progress } from '../../shared/ui/progress.tsx';
import { RequireAdmin } from '../../shared/ui/require-admin.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import css from './export.module.css';
import { EVERYTHING, missingIn, type Choice, type What } from './model.ts';
import { useExport, useLastExport } from './use-export.ts';

/** The page where administrators download the clinic's data, in the columns that an import reads. */
export const ExportPage = () => (
  <RequireAdmin title="Export" everywhere>
    <Export />
  </RequireAdmin>
);

const WHAT: readonly { value: What; label: string }[] = [
  { value: 'all', label: 'Everything' },
  { value: 'last', label: 'Changes since the last export' },
  { value: 'date', label: 'Changes since a date' },
];

function Export() {
  const [choice, setChoice] = useState<Choice>(EVERYTHING);
  const { working, done, failure, download } = useExport();
  const last = useLastExport().data?.last;
  const today = useToday(defaultLocation());
  const set = (next: Partial<Choice>): void => setChoice({ ...choice, ...next });
  const missing = choice.what === 'last' && last === null ? 'Nothing was exported yet.' : missingIn(choice);
  return (
    <Page
      title="Export"
      toolbar={
        <>
          <h1>Export</h1>
          <span className="small muted">One zip file with five CSV files</span>
          <span className="grow" />
          <Button
            variant="primary"
            size="lg"
            unavailable={working !== null || missing !== null || today === null}
            onClick={() => void (today && download(choice, today))}
          >
            {working ? 'Downloading...' : 'Download'}
          </Button>
        </>
      }
    >
      <Sheet fills="scrolling">
        {failure ? (
          <Notice tone="error" title={`The files were not downloaded. ${saidWords(failure)}`}>
            Nothing was changed. Try again.
          </Notice>
        ) : null}
        <div className={css.page}>
          <div role="status">
            {working ? (
              <Progress words={downloadWords('Making the files', working.part)} part={working.part} />
            ) : done ? (
              <p>
                <b>{`Downloaded: ${done}.`}</b> It holds data about clients: keep it safe.
              </p>
            ) : (
              <p className="muted">
                {missing ??
                  'Therapists, clients, appointments, authorizations and credentials, in the columns that an import reads. Importing them again changes nothing.'}
              </p>
            )}
          </div>
          <section aria-labelledby="export-what" className={css.part}>
            <h2 id="export-what">What to download</h2>
            <Segmented label="What to download" value={choice.what} options={WHAT} onChange={(what) => set({ what })} />
            {choice.what === 'date' ? (
              <div className={css.dates}>
                <DateField label="Since" value={choice.since} onDate={(since) => set({ since })} />
              </div>
            ) : null}
            {choice.what === 'all' ? null : (
              <p className="small muted">
                What was made or changed here, for the system that the imports come from. What an import wrote is left
                out.{' '}
                {last ? `Last export: ${instantWords(defaultLocation(), last.at)}, ${last.by ?? 'by command'}.` : null}
              </p>
            )}
          </section>
          <Limits choice={choice} set={set} />
        </div>
      </Sheet>
    </Page>
  );
}

/** Which locations and dates. */
function Limits({ choice, set }: { choice: Choice; set: (next: Partial<Choice>) => void }) {
  const locations = useLocations();
  const chosen = choice.locations;
  return (
    <>
      <fieldset className={css.part}>
        <legend>Locations</legend>
        <div className={css.places}>
          <label>
            <Checkbox checked={chosen.length === 0} onChange={() => set({ locations: [] })} /> All locations
          </label>
          {locations.map(({ value, label }) => (
            <label key={value}>
              <Checkbox
                checked={chosen.includes(value)}
                onChange={({ target }) =>
                  set({ locations: target.checked ? [...chosen, value] : chosen.filter((each) => each !== value) })
                }
              />{' '}
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <section aria-labelledby="export-dates" className={css.part}>
        <h2 id="export-dates">Sessions</h2>
        <div className={css.dates}>
          <DateField label="From" value={choice.from} onDate={(from) => set({ from })} />
          <DateField label="Until" value={choice.until} onDate={(until) => set({ until })} />
        </div>
        <p className="small muted">Without dates, all sessions.</p>
      </section>
    </>
  );
}
