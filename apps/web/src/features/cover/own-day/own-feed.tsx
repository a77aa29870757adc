import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ownDayEndpoints, type OwnFeed as OwnFeedState } from '@clinic/contract';
import css from './own-day.module.css';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useAct } from '../../../shared/use-act.ts';

/** By the clock of the device: this page is read on a therapist’s own phone. */
const WHEN = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const KEY = [...queryKeys.ownDays, 'feed'];

/** The address at which a therapist's phone or other calendar reads their sessions. */
export function OwnFeed() {
  const { data: feed } = useQuery(queryOf(KEY, ownDayEndpoints.ownFeed, {}));
  const [address, setAddress] = useState<string | null>(null);
  const { busy, act } = useAct('your calendar’s address');
  const changed = (made: string | null): void => {
    setAddress(made);
    void queryClient.invalidateQueries({ queryKey: KEY });
  };
  const make = (): void =>
    act(
      () => call(ownDayEndpoints.makeOwnFeed, {}),
      ({ secret }) => changed(`${window.location.origin}/api/feeds/${secret}.ics`),
    );
  const end = (): void =>
    act(
      () => call(ownDayEndpoints.endOwnFeed, {}),
      () => {
        changed(null);
        toast({ text: 'The address no longer works' });
      },
    );
  if (feed === undefined) return null;
  return (
    <section className={css.day} aria-label="Your calendar elsewhere">
      <h2>In your own calendar</h2>
      <p className="small muted">
        Your phone’s calendar can show your sessions: times and places, without children’s names. It looks for changes
        about once an hour, so this page is always ahead of it.
      </p>
      {address === null ? <State feed={feed} /> : <NewAddress address={address} />}
      <div className={css.acts}>
        <Button size="lg" unavailable={busy} onClick={make}>
          {feed === null ? 'Make an Address' : 'Make a New Address'}
        </Button>
        {feed === null ? null : (
          <Button size="lg" variant="ghost" unavailable={busy} onClick={end}>
            End the Address
          </Button>
        )}
      </div>
    </section>
  );
}

function State({ feed }: { feed: OwnFeedState }) {
  if (feed === null) return null;
  const made = `You made an address on ${WHEN.format(new Date(feed.made_at))}.`;
  const read =
    feed.read_at === null
      ? 'No program has read it yet.'
      : `It was last read on ${WHEN.format(new Date(feed.read_at))}.`;
  return <p>{`${made} ${read} A new address ends this one.`}</p>;
}

function NewAddress({ address }: { address: string }) {
  const copy = (): void => {
    navigator.clipboard.writeText(address).then(
      () => toast({ text: 'Address copied' }),
      () => toast({ tone: 'warn', text: 'The address could not be copied. Select it and copy it.' }),
    );
  };
  return (
    <>
      <p role="status">
        In your calendar program, choose “add a calendar from the internet” or “subscribe”, and paste this address.
        Whoever knows it can read when and where you work. It is not shown again.
      </p>
      <Input label="Address" value={address} readOnly onFocus={(event) => event.target.select()} />
      <p>
        <Button size="lg" onClick={copy}>
          Copy the Address
        </Button>
      </p>
    </>
  );
}
