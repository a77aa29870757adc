import { Fragment } from 'react';
import { COVER_NOTE, type OwnDaySession } from '@clinic/contract';
import { Chip } from '../../../shared/ui/states.tsx';
import { useWords } from './model.ts';
import css from './own-day.module.css';

/** A session of the therapist's own, with its clients. */
export function Session({ session }: { session: OwnDaySession }) {
  const { t, list, window } = useWords();
  const { clients, service, place, cover, changed, asked, undecided } = session;
  // In a group, some of the clients may be new, and some may be no-shows.
  const work = t(`service.${service}`);
  const isNew = changed && asked !== true && clients.every((client) => client.changed);
  const isMarked = clients.some((client) => client.no_show || (client.changed && !isNew && asked !== true));
  return (
    <li className={css.session} data-changed={changed || undefined} data-undecided={undecided || undefined}>
      <b>{window(session)}</b>
      <span>
        {clients.length === 0 ? work : isMarked ? null : list(clients.map(({ name }) => name))}
        {isMarked ? clients.map((client) => <Marked key={client.name} client={client} isNew={!isNew} />) : null}
        {isNew ? <NewChip /> : null}
        {asked === true ? (
          <Chip tone="need" icon="clock">
            {t('weAsk')}
          </Chip>
        ) : null}
        {cover ? <Chip icon="swap">{t('youCover')}</Chip> : null}
        {undecided ? <Chip icon="clock">{t('beingDecided')}</Chip> : null}
      </span>
      <span className="small muted">{clients.length === 0 ? place : t('placed', { what: work, place })}</span>
      {clients.map(({ name, note }) =>
        note === null ? null : (
          <Fragment key={name}>
            {clients.length > 1 ? <span className="small muted">{t('about', { name })}</span> : null}
            <CoverNote note={note} />
          </Fragment>
        ),
      )}
    </li>
  );
}

/** A client's name with the marks that apply only to this client; `isNew`: whether to mark the client as new. */
function Marked({ client, isNew }: { client: OwnDaySession['clients'][number]; isNew: boolean }) {
  const { t } = useWords();
  return (
    <span>
      {client.name}
      {client.changed && isNew ? <NewChip /> : null}
      {client.no_show ? <Chip icon="slash">{t('noShow')}</Chip> : null}
    </span>
  );
}

const NewChip = () => (
  <Chip tone="need" icon="clock">
    {useWords().t('new')}
  </Chip>
);

function CoverNote({ note }: { note: NonNullable<OwnDaySession['clients'][number]['note']> }) {
  const { t } = useWords();
  return (
    <dl className={css.note}>
      {COVER_NOTE.filter((part) => note[part] !== '').map((part) => (
        <div key={part}>
          <dt>{t(`note.${part}`)}</dt>
          <dd lang="en">{note[part]}</dd>
        </div>
      ))}
    </dl>
  );
}
