import { useId, useState } from 'react';
import type { OwnAnswer, OwnChange } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import css from './own-day.module.css';
import { Button } from '../../../shared/ui/button.tsx';
import { isolated } from '../../../shared/isolated.ts';
import { Input } from '../../../shared/ui/field.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { readKept, useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { loadAgain, sendAnswer } from './api.ts';
import { useWords } from './model.ts';

/** The reason for a no, while it is being typed. */
function useRefusal({ date, location }: OwnChange, busy: boolean) {
  const { t, leaving } = useWords();
  const key = `refusal:${date}:${location}`;
  const [reason, setReason] = useState(() => readKept<string>(key) ?? '');
  const [refusing, setRefusing] = useState(reason !== '');
  const { leave } = useUnsaved({
    edited: refusing && reason.trim() !== '',
    saving: busy,
    about: t('answerUnsent'),
    words: leaving(),
    keep: { key, value: () => reason },
  });
  return { reason, setReason, refusing, setRefusing, leave };
}

/** The changes on one day, with the buttons to answer them. */
export function ChangeCard({ change, today }: { change: OwnChange; today: string }) {
  const words = useWords();
  const { t } = words;
  const id = useId();
  const [busy, setBusy] = useState(false);
  const { reason, setReason, refusing, setRefusing, leave } = useRefusal(change, busy);
  const asks = change.call === 'ask';
  const state = words.state(change);
  const said = words.code === 'es' ? (change.say_es ?? []) : change.say;

  const send = async (answer: OwnAnswer['answer']): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      const { location, version } = change;
      const said = answer === 'cannot' && reason.trim() !== '' ? { reason: reason.trim() } : {};
      await sendAnswer({ date: isoDate(change.date), location, version, answer, ...said });
      leave(() => setRefusing(false));
      setReason('');
      toast({ text: t(`kept.${answer}`) });
    } catch (error) {
      toast({ tone: 'warn', text: words.failure(error, 'your day') });
      await loadAgain();
    } finally {
      setBusy(false);
    }
  };

  return (
    <article className={css.change} aria-labelledby={id} data-calm={change.say.length === 0 || undefined}>
      <h3 id={id}>{t('placed', { what: words.day(change.date, today), place: change.place })}</h3>
      <ul className={css.say}>
        {said.map((sentence) => (
          <li key={sentence}>{isolated(sentence)}</li>
        ))}
      </ul>
      {change.gone.map((gone) => (
        <p key={`${gone.start} ${gone.clients.join()}`} className={css.gone}>
          <s>{words.stretch(gone)}</s>
          <span className="sr">{t('removed')}</span>
        </p>
      ))}
      <Undecided change={change} />
      {state === null ? null : <p className="small muted">{state}</p>}
      {change.said_no || change.say.length === 0 ? null : refusing ? (
        <Refusal
          busy={busy}
          reason={reason}
          onReason={setReason}
          onBack={() => setRefusing(false)}
          onSend={() => void send('cannot')}
        />
      ) : (
        <div className={css.acts}>
          {asks ? (
            <Button size="lg" variant="primary" unavailable={busy} single onClick={() => void send('yes')}>
              {t('yes')}
            </Button>
          ) : null}
          {asks && change.seen_at !== null ? null : (
            <Button
              size="lg"
              variant={asks ? 'default' : 'primary'}
              unavailable={busy}
              single
              onClick={() => void send('seen')}
            >
              {t('seen')}
            </Button>
          )}
          {change.can_refuse === false ? null : (
            <Button size="lg" unavailable={busy} onClick={() => setRefusing(true)}>
              {t('cannot')}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

/** What the clinic is still deciding about: the therapist need not answer that. */
function Undecided({ change: { undecided = [] } }: { change: OwnChange }) {
  const { t, stretch } = useWords();
  if (undecided.length === 0) return null;
  return (
    <>
      <p>{t('stillDecided')}</p>
      <ul>
        {undecided.map((each) => (
          <li key={`${each.start} ${each.clients.join()}`}>
            <b>{isolated(stretch(each))}</b>
          </li>
        ))}
      </ul>
      <p className="small muted">{t('needNotAnswer')}</p>
    </>
  );
}

/** Asks for the reason after *I can’t*. The reason is optional; Back keeps it in case *I can’t* is clicked again. */
function Refusal({
  busy,
  reason,
  onReason,
  onBack,
  onSend,
}: {
  busy: boolean;
  reason: string;
  onReason: (reason: string) => void;
  onBack: () => void;
  onSend: () => void;
}) {
  const { t } = useWords();
  return (
    <div className={css.reason}>
      <Input
        label={t('whyNot')}
        maxLength={500}
        large
        autoFocus
        value={reason}
        onChange={(event) => onReason(event.target.value)}
      />
      <div className={css.acts}>
        <Button size="lg" onClick={onBack}>
          {t('back')}
        </Button>
        <Button size="lg" variant="primary" unavailable={busy} single onClick={onSend}>
          {t('send')}
        </Button>
      </div>
    </div>
  );
}
