import { duration, isoDate, shortDate, type IsoDate, type Location } from '@clinic/domain';
import { useHours } from '../../../shared/api/use-hours.ts';
import { PERIOD_WORDS } from '../../../shared/period-words.ts';
import { Link } from '../../../shared/router/link.tsx';
import { ledgerPath, type LEDGERS } from '../../../shared/shell/places.ts';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { useAuthorizations, useCare, useSupervision } from '../api/use-ledgers.ts';
import { causeWords } from '../care.ts';
import css from './ledger.module.css';

/** Whose figures, and on which date. */
interface Whose {
  readonly id: string;
  readonly location: Location;
  readonly date: IsoDate;
}
type Fact = readonly [label: string, minutes: number | string];

const Facts = ({ of }: { of: readonly Fact[] }) => (
  <dl className={css.facts}>
    {of.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{typeof value === 'string' ? value : duration(value)}</dd>
      </div>
    ))}
  </dl>
);

const All = ({
  ledger,
  location,
  children,
}: {
  ledger: (typeof LEDGERS)[number];
  location: Location;
  children: string;
}) => (
  <p>
    <Link to={ledgerPath(ledger)} search={{ location }}>
      {children}
    </Link>
  </p>
);

/** What a client got and lost in the four weeks before the date. */
export function ClientCare({ id, location, date }: Whose) {
  const query = useCare(location, date);
  const row = query.data?.rows.find((each) => each.id === id);
  return (
    <section>
      <h3>Care in four weeks</h3>
      <LoadFailure what="the care" query={query} />
      {row ? (
        <Facts
          of={[
            ['Booked', row.booked],
            ['Delivered', row.delivered],
            ...row.lost_by.map((each): Fact => [`Lost: ${causeWords(each)}`, each.minutes]),
            ['Made up', row.made_up],
          ]}
        />
      ) : query.data ? (
        <p className="muted">No care is counted here on this date.</p>
      ) : null}
      {row && row.lost > row.made_up ? (
        <p>
          <Link to="/make-up" search={{ location }}>
            Make up lost hours
          </Link>
        </p>
      ) : null}
    </section>
  );
}

/** What a client's valid authorizations still hold. */
export function ClientAuthorizations({ id, location, date }: Whose) {
  const query = useAuthorizations(location, date);
  const own = query.data?.rows.filter((row) => row.client_id === id) ?? [];
  return (
    <>
      <LoadFailure what="the authorizations" query={query} />
      {query.data && own.length === 0 ? <p className="muted">None is valid today.</p> : null}
      {own.map((row) => (
        <div key={row.id} className={css.left}>
          <p>
            <b>
              {row.payer} {row.code}
            </b>{' '}
            <span>
              {duration(row.left)} of {duration(row.authorized)} {PERIOD_WORDS[row.period]} left
            </span>
          </p>
          <progress value={row.delivered} max={Math.max(1, row.authorized)} aria-hidden="true" />
          <p className="small muted">Until {shortDate(isoDate(row.until_date))}</p>
        </div>
      ))}
      {own.length > 0 ? (
        <All ledger="authorizations" location={location}>
          All authorizations
        </All>
      ) : null}
    </>
  );
}

/** A therapist's hours in the week of the date and, for an RBT, the supervision of its month. */
export function TherapistHours({ id, location, date }: Whose) {
  const hours = useHours(location, date);
  const supervision = useSupervision(location, date);
  const row = hours.data?.rows.find((each) => each.id === id);
  const month = supervision.data?.rows.find((each) => each.id === id);
  return (
    <>
      <section>
        <h3>Hours this week</h3>
        <LoadFailure what="the hours" query={hours} />
        {row ? (
          <Facts
            of={[
              ['Booked', `${duration(row.booked)} of ${duration(row.most)}`],
              ['Worked', row.worked],
              ...(row.guaranteed === null ? [] : [['Guaranteed', row.guaranteed] as const]),
              ['Cover in 28 days', row.cover_28],
              ['May still be booked', row.left],
            ]}
          />
        ) : null}
        <All ledger="hours" location={location}>
          All hours
        </All>
      </section>
      {month ? (
        <section>
          <h3>Supervision this month</h3>
          <Facts
            of={[
              ['Needed', month.needed],
              ['Done', month.done],
              ['Booked ahead', month.ahead],
              ['Meetings', `${month.contacts + month.contacts_ahead} of ${month.contacts_needed}`],
            ]}
          />
          {month.at_risk ? <p className="alarm">Less supervision is booked than the month needs.</p> : null}
        </section>
      ) : null}
    </>
  );
}
