import { useId, useState } from 'react';
import type { OwnAnswer, OwnChange } from '@clinic/contract';
import { isoDate, listWords } from '@clinic/domain';
import css from './own-day.module.css';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { loadAgain, sendAnswer } from './api.ts';
import { serviceWords } from '../../../shared/service-words.ts';
import { dayWords, stateWords, windowWords } from './model.ts';

const KEPT: Readonly<Record<OwnAnswer['answer'], string>> = {
  seen: 'Marked as seen',
  yes: 'The clinic knows that you said yes',
  cannot: 'The clinic knows that you said no',
};

/** The changes on one day, with the buttons to answer them. */
export function ChangeCard({ change, today }: { change: OwnChange; today: string }) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [refusing, setRefusing] = useState(false);
  const asks = change.call === 'ask';
  const state = stateWords(change);

  const send = async (answer: OwnAnswer['answer'], reason = ''): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      const { location, version } = change;
      const date = isoDate(change.date);
      const said = reason.trim() === '' ? {} : { reason: reason.trim() };
      await sendAnswer({ date, location, version, answer, ...said });
      setRefusing(false);
      toast({ text: KEPT[answer] });
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'your day') });
      await loadAgain();
    } finally {
      setBusy(false);
    }
  };

  return (
    <article className={css.change} aria-labelledby={id}>
      <h3 id={id}>
        {dayWords(change.date, today)}, {change.place}
      </h3>
      <ul className={css.say}>
        {change.say.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {change.gone.map((gone) => (
        <p key={`${gone.start} ${gone.clients.join()}`} className={css.gone}>
          <s>
            {windowWords(gone)} {gone.clients.length === 0 ? serviceWords(gone.service) : listWords(gone.clients)}
          </s>
          <span className="sr"> was removed</span>
        </p>
      ))}
      {state === null ? null : <p className="small muted">{state}</p>}
      {change.said_no ? null : refusing ? (
        <Refusal busy={busy} onBack={() => setRefusing(false)} onSend={(reason) => void send('cannot', reason)} />
      ) : (
        <div className={css.acts}>
          {asks ? (
            <Button size="lg" variant="primary" unavailable={busy} onClick={() => void send('yes')}>
              Yes
            </Button>
          ) : null}
          {asks && change.seen_at !== null ? null : (
            <Button
              size="lg"
              variant={asks ? 'default' : 'primary'}
              unavailable={busy}
              onClick={() => void send('seen')}
            >
              Seen
            </Button>
          )}
          <Button size="lg" unavailable={busy} onClick={() => setRefusing(true)}>
            I can’t
          </Button>
        </div>
      )}
    </article>
  );
}

/** Asks why the therapist cannot work then. The reason is optional. */
function Refusal({ busy, onBack, onSend }: { busy: boolean; onBack: () => void; onSend: (reason: string) => void }) {
  const [reason, setReason] = useState('');
  return (
    <div className={css.reason}>
      <Input
        label="Why not? (the clinic sees this)"
        maxLength={500}
        large
        autoFocus
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className={css.acts}>
        <Button size="lg" onClick={onBack}>
          Back
        </Button>
        <Button size="lg" variant="primary" unavailable={busy} onClick={() => onSend(reason)}>
          Send
        </Button>
      </div>
    </div>
  );
}
