import { useState } from 'react';
import type { TimesReply } from '@clinic/contract';
import { addDays, isLocation, isoDate, shortDate, type IsoDate, type Location } from '@clinic/domain';
import { failureWords } from '../../shared/api/failure-words.ts';
import { useToday } from '../../shared/clinic-clock.ts';
import { navigate, useSearch } from '../../shared/router/history.ts';
import { Link } from '../../shared/router/link.tsx';
import { usePickedLocation } from '../../shared/session/session-info.ts';
import { undoBooking } from '../../shared/edits/undo-booking.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { Loading } from '../../shared/ui/loading.tsx';
import { LocationSelect } from '../../shared/ui/location-select.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { EmptyState, Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { timeWords } from '../../shared/time-words.ts';
import { Ways, WayWeek } from './components/ways.tsx';
import { WhoCould } from './components/who-could.tsx';
import { WishFields } from './components/wish-fields.tsx';
import {
  newWish,
  toWish,
  wishFault,
  withChange,
  daysWords,
  hoursWords,
  mayWords,
  type TimesWish,
  type WishForm,
} from './model.ts';
import { useBooking, useClientNames, useTimes, useChanges } from './use-times.ts';
import css from './find-a-time.module.css';

/** When and with whom new sessions of a client can be, or who could use a therapist's free time. */
export function FindATimePage() {
  const search = useSearch();
  const location = usePickedLocation(isLocation(search['location']) ? search['location'] : undefined);
  const today = useToday(location);
  const { client, therapist } = search;
  if (therapist !== undefined && client === undefined)
    return <WhoCould key={therapist} location={location} therapist={therapist} from={search['weekday']} />;
  return today ? (
    <FindATime key={JSON.stringify([location, search])} location={location} today={today} search={search} />
  ) : null;
}

function FindATime({
  location,
  today,
  search,
}: {
  location: Location;
  today: IsoDate;
  search: Readonly<Record<string, string>>;
}) {
  const [form, setForm] = useState(() => newWish(addDays(today, 1), search));
  const [chosen, choose] = useState(0);
  const clients = useClientNames(location);
  const fault = wishFault(form);
  const wish = fault === null ? toWish(form, location) : null;
  const query = useTimes(wish);
  const booking = useBooking();
  const ways = wish ? (query.data?.ways ?? []) : [];
  const at = Math.min(chosen, Math.max(0, ways.length - 1));
  const way = ways[at];
  const set = (changed: Partial<typeof form>): void => {
    booking.reset();
    choose(0);
    setForm((now) => ({ ...now, ...changed }));
  };
  const book = (): void => {
    if (!way || !wish || booking.isPending) return;
    booking.mutate(
      { wish, way },
      {
        onSuccess: ({ sessions, first, keys }) => {
          const count = sessions === 1 ? '1 session' : `${sessions} sessions`;
          toast({
            text: `${count} ${sessions === 1 ? 'is' : 'are'} booked.`,
            ...undoBooking(`${form.client}’s ${count}`, keys, 'following'),
          });
          navigate({ to: '/calendar', search: { location, date: first, view: 'client', find: form.client } });
        },
      },
    );
  };
  return (
    <Page
      title={form.client === '' ? 'Find a time' : `Find a time for ${form.client}`}
      toolbar={
        <>
          <h1>Find a time{form.client === '' ? '' : ` for ${form.client}`}</h1>
          <LocationSelect value={location} onChange={(next) => navigate({ search: { location: next } })} />
          <span className="grow" />
          <Button variant="primary" size="lg" unavailable={!way || booking.isPending} onClick={book}>
            {booking.isPending ? 'Booking...' : `Book Option ${at + 1} as Series`}
          </Button>
        </>
      }
    >
      <Sheet fills="parts" className={css.find}>
        <WishFields form={form} clients={clients.data ?? []} onChange={set} />
        <section className={css.result} aria-label="Best combinations" tabIndex={0}>
          <LoadFailure what="the clients" query={clients} />
          {booking.error ? <Notice tone="error" title={failureWords(booking.error, 'the calendar', 'booked')} /> : null}
          {wish ? (
            <Loading what="the times" query={query} as="Looking for times" height="18rem">
              {(reply) => (
                <Result
                  reply={reply}
                  form={form}
                  wish={wish}
                  chosen={at}
                  onChoose={choose}
                  onUse={(changed) => set(withChange(form, changed))}
                />
              )}
            </Loading>
          ) : (
            <Missing fault={fault} client={form.client} />
          )}
        </section>
      </Sheet>
    </Page>
  );
}

/** What is still to be entered. */
const Missing = ({ fault, client }: { fault: string | null; client: string }) => (
  <p className={css.hint}>
    {fault}
    {client === '' ? (
      <>
        {' '}
        A new child is added in <Link to="/profiles?kind=clients">Profiles</Link> first.
      </>
    ) : null}
  </p>
);

function Result({
  reply,
  form,
  wish,
  chosen,
  onChoose,
  onUse,
}: {
  reply: TimesReply;
  form: WishForm;
  wish: TimesWish;
  chosen: number;
  onChoose: (at: number) => void;
  onUse: (wish: TimesWish) => void;
}) {
  const { ways } = reply;
  const way = ways[chosen];
  return (
    <>
      {way ? (
        <>
          <h2>
            {ways.length === 1 ? '1 way' : `${ways.length} ways, best first`}
            <span className="small muted">Each can be booked as shown; none breaks a rule.</span>
          </h2>
          {reply.filled_until === null ? null : (
            <p className={css.note}>
              The calendar is filled until {shortDate(isoDate(reply.filled_until))}. Later dates look free until their
              sessions are booked or imported.
            </p>
          )}
          <Ways ways={ways} chosen={chosen} onChoose={onChoose} />
          <WayWeek way={way} form={form} />
        </>
      ) : (
        <EmptyState title="No time fits">
          Nobody who may is free then on most dates. See below what it would take.
        </EmptyState>
      )}
      <Reasons reply={reply} wish={wish} onUse={onUse} />
    </>
  );
}

/** Who may, why no way is earlier, and what it would take. */
function Reasons({ reply, wish, onUse }: { reply: TimesReply; wish: TimesWish; onUse: (wish: TimesWish) => void }) {
  return (
    <div className={css.reasons}>
      <section>
        {reply.earlier ? (
          <>
            <h3>Why not earlier? The family can come from {timeWords(reply.earlier.start)}</h3>
            <Tally list={reply.earlier.reasons} />
          </>
        ) : null}
        <h3>{mayWords(reply)}</h3>
        <Tally list={reply.mayNot} />
      </section>
      <Changes wish={wish} onUse={onUse} />
    </div>
  );
}

const Tally = ({ list }: { list: readonly { why: string; therapists: number }[] }) => (
  <ul>
    {list.map(({ why, therapists }) => (
      <li key={why}>
        <span>{why}</span>
        <span>{therapists}</span>
      </li>
    ))}
  </ul>
);

function Changes({ wish, onUse }: { wish: TimesWish; onUse: (wish: TimesWish) => void }) {
  const query = useChanges(wish);
  return (
    <section aria-labelledby="what-it-would-take">
      <h3 id="what-it-would-take">What it would take</h3>
      <Loading what="what it would take" query={query} height="5rem">
        {({ changes }) => (
          <>
            {changes.length === 0 ? <p className="muted">No single change gives a better time.</p> : null}
            <ul>
              {changes.map(({ what, wish: changed, way }) => (
                <li key={what}>
                  <span>
                    <b>{what}</b>: {daysWords(way)}, {hoursWords(way)} with{' '}
                    {way.people.map(({ therapist }) => therapist).join(' and ')}. {way.why}
                  </span>
                  <Button size="sm" onClick={() => onUse(changed)}>
                    Use<span className="sr">: {what}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loading>
    </section>
  );
}
