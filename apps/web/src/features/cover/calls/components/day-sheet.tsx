import type { DaySheetReply } from '@clinic/contract';
import { locationLabel, longDate, SERVICE_LABELS, type IsoDate, type Location } from '@clinic/domain';
import { EmptyState } from '../../../../shared/ui/states.tsx';
import css from '../day-sheet.module.css';
import { windowWords } from '../model.ts';

type Therapist = DaySheetReply['therapists'][number];
type SheetStretch = DaySheetReply['open'][number];

/** How the sheet is printed: as one list, or with a page for each therapist. */
export type SheetPages = 'location' | 'therapist';

/** A location's day for printing: the unassigned sessions first, then a section for each therapist. */
export function DaySheet({
  sheet,
  location,
  date,
  pages,
  sent,
}: {
  sheet: DaySheetReply;
  location: Location;
  date: IsoDate;
  pages: SheetPages;
  /** When the sheet was last recorded as sent, in words. */
  sent: string;
}) {
  const day = `${locationLabel(location)}, ${longDate(date)}`;
  if (sheet.open.length === 0 && sheet.therapists.length === 0)
    return <EmptyState title="Nothing is booked that day">There is no day sheet to print.</EmptyState>;
  return (
    <div className={css.sheet} data-pages={pages}>
      <header className={css.head}>
        <h2>{`Day sheet, ${day}`}</h2>
        <p className="small muted">{sent}</p>
        {sheet.wrong === undefined ? null : (
          <p className={css.unsettled}>
            {sheet.wrong === 1 ? '1 thing is' : `${sheet.wrong} things are`} not settled on this day; Today says what.
          </p>
        )}
      </header>
      {sheet.open.length > 0 ? (
        <section className={css.open} aria-labelledby="sheet-open">
          <h3 id="sheet-open">No therapist</h3>
          <Stretches list={sheet.open} />
        </section>
      ) : null}
      <div className={css.people}>
        {sheet.therapists.map((therapist) => (
          <Person key={therapist.id} therapist={therapist} day={day} />
        ))}
      </div>
    </div>
  );
}

function Person({ therapist: { id, name, credential, away, sessions }, day }: { therapist: Therapist; day: string }) {
  return (
    <section className={css.person} aria-labelledby={`sheet-${id}`}>
      <p className={css.day}>{day}</p>
      <h3 id={`sheet-${id}`}>
        {name} <span className={css.credential}>{credential}</span>
      </h3>
      {away.map((window) => (
        <p key={window.start} className={css.away}>
          Away {window.start === '00:00' && window.end >= '23:59' ? 'all day' : windowWords(window)}
        </p>
      ))}
      <Stretches list={sessions} />
    </section>
  );
}

function Stretches({ list }: { list: readonly SheetStretch[] }) {
  if (list.length === 0) return null;
  return (
    <ul>
      {list.map((stretch) => (
        <li key={`${stretch.start} ${stretch.service} ${stretch.clients.join()}`}>
          <span className={css.time}>{windowWords(stretch)}</span>
          <span>
            {stretch.clients.length > 0 ? stretch.clients.join(', ') : SERVICE_LABELS[stretch.service]}
            {stretch.clients.length > 0 && stretch.service !== 'direct' ? (
              <span className={css.service}>, {SERVICE_LABELS[stretch.service].toLowerCase()}</span>
            ) : null}
            {stretch.unsettled === true ? <span className={css.unsettled}>, not settled yet</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
