import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ownDayEndpoints, type OwnFeed as OwnFeedState } from '@clinic/contract';
import css from './own-day.module.css';
import { call } from '../../../shared/api/client.ts';
import { copyText } from '../../../shared/copy-text.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useAct } from '../../../shared/use-act.ts';
import { useWords } from './model.ts';

const KEY = [...queryKeys.ownDays, 'feed'];

/** The address at which a therapist's phone or other calendar reads their sessions. */
export function OwnFeed() {
  const { t, failure } = useWords();
  const { data } = useQuery(queryOf(KEY, ownDayEndpoints.ownFeed, {}));
  const [address, setAddress] = useState<string | null>(null);
  const { busy, act } = useAct('your calendar’s address');
  const changed = (made: string | null): void => {
    setAddress(made);
    void queryClient.invalidateQueries({ queryKey: KEY });
  };
  const failed = (error: unknown): void =>
    void toast({ tone: 'warn', text: failure(error, 'your calendar’s address') });
  const make = (): void =>
    act(
      () => call(ownDayEndpoints.makeOwnFeed, {}),
      ({ secret }) => changed(`${window.location.origin}/feeds/${secret}.ics`),
      failed,
    );
  const end = (): void =>
    act(
      () => call(ownDayEndpoints.endOwnFeed, {}),
      () => {
        changed(null);
        toast({ text: t('feedEnded') });
      },
      failed,
    );
  if (data === undefined) return null;
  const { feed } = data;
  return (
    <section className={css.day} aria-label={t('feedTitle')}>
      <h2>{t('feedTitle')}</h2>
      <p className="small muted">{t('feedText', { names: t(`feedNames.${data.names ?? 'off'}`) })}</p>
      {address === null ? <State feed={feed} /> : <NewAddress address={address} />}
      <div className={css.acts}>
        <Button size="lg" unavailable={busy} onClick={make}>
          {t(feed === null ? 'feedMake' : 'feedMakeNew')}
        </Button>
        {feed === null ? null : (
          <Button size="lg" variant="ghost" unavailable={busy} onClick={end}>
            {t('feedEnd')}
          </Button>
        )}
      </div>
    </section>
  );
}

function State({ feed }: { feed: OwnFeedState }) {
  const { t, code } = useWords();
  if (feed === null) return null;
  // By the clock of the device: this page is read on a therapist’s own phone.
  const format = new Intl.DateTimeFormat(code === 'es' ? 'es-US' : 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const when = (instant: string): string => format.format(new Date(instant));
  const made = when(feed.made_at);
  return <p>{feed.read_at === null ? t('feedUnread', { made }) : t('feedRead', { made, read: when(feed.read_at) })}</p>;
}

function NewAddress({ address }: { address: string }) {
  const { t } = useWords();
  const copy = (): void => copyText(address, t('feedCopied'), t('feedNotCopied'));
  return (
    <>
      <p role="status">{t('feedHow')}</p>
      <Input label={t('feedAddress')} value={address} readOnly onFocus={(event) => event.target.select()} />
      <p>
        <Button size="lg" onClick={copy}>
          {t('feedCopy')}
        </Button>
      </p>
    </>
  );
}
