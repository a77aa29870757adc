import { useState } from 'react';
import type { TimesReply } from '@clinic/contract';
import { addDays, isLocation, type IsoDate, type Location } from '@clinic/domain';
import { failureWords } from '../../shared/api/failure-words.ts';
import { useToday } from '../../shared/clinic-clock.ts';
import { navigate, useSearch } from '../../shared/router/history.ts';
import { usePickedLocation } from '../../shared/session/session-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { Loading } from '../../shared/ui/loading.tsx';
import { LocationSelect } from '../../shared/ui/location-select.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { EmptyState, Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { Reasons } from './components/reasons.tsx';
import { Ways, WayWeek } from './components/ways.tsx';
import { WhoCould } from './components/who-could.tsx';
import { WishFields } from './components/wish-fields.tsx';
import { newWish, toWish, wishFault, withChange, type TimesWish, type WishForm } from './model.ts';
import { useBooking, useClientNames, useTimes } from './use-times.ts';
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
        onSuccess: ({ sessions, first }) => {
          toast({ text: sessions === 1 ? '1 session is booked.' : `${sessions} sessions are booked.` });
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
            <p className={css.hint}>{fault}</p>
          )}
        </section>
      </Sheet>
    </Page>
  );
}

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
