import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { historyEndpoints, type Client, type Therapist } from '@clinic/contract';
import { defaultLocation, isLocation, locationLabel, parseDate, type IsoDate, type Location } from '@clinic/domain';
import { ClientAuthorizations, ClientCare, TherapistHours } from '../features/ledgers/components/person-figures.tsx';
import { PersonLeave } from '../features/leave/person-leave.tsx';
import { useClients, useTherapists, useWholeProfile } from '../features/profiles/api/use-profiles.ts';
import { ClientNeeds } from '../features/profiles/client.tsx';
import { ContactList } from '../features/profiles/components/contact-list.tsx';
import { isTherapist, KIND_WORDS, type ProfileKind } from '../features/profiles/model.ts';
import { EditModal } from '../features/profiles/open-modal.tsx';
import { Acts } from '../features/profiles/page/acts.tsx';
import css from '../features/profiles/page/person.module.css';
import { Team } from '../features/profiles/page/team.tsx';
import { THERAPIST } from '../features/profiles/therapist.tsx';
import { keptDraft } from '../features/profiles/use-edit-form.ts';
import type { View } from '../features/calendar/bars.ts';
import { AuditorButton } from '../features/auditor/auditor-button.tsx';
import { weekWords } from '../features/calendar/week.ts';
import { useShownWeek, WeekWorkspace } from '../features/workspace/week-workspace.tsx';
import { queryOf } from '../shared/api/query-of.ts';
import { useToday } from '../shared/clinic-clock.ts';
import { instantWords } from '../shared/instant-words.ts';
import { navigate, useSearch } from '../shared/router/history.ts';
import { Link } from '../shared/router/link.tsx';
import { Button } from '../shared/ui/button.tsx';
import { DatePicker } from '../shared/ui/date-picker.tsx';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { Page, PageActs, Sheet } from '../shared/ui/page.tsx';
import { Chip, EmptyState, Skeleton, Skeletons } from '../shared/ui/states.tsx';
import { MainColumn, SideColumn, SideSection, TwoColumns } from '../shared/ui/two-columns.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';

/** A client's or therapist's own page: their week, and what one asks about them on the telephone. */
export function PersonPage({ kind, id }: { kind: ProfileKind; id: string }) {
  const query = useWholeProfile(kind, id);
  const person = query.data;
  const location = person && isLocation(person.location) ? person.location : null;
  const today = useToday(location ?? defaultLocation());
  const date = parseDate(useSearch()['date'] ?? '') ?? today;
  const draft = keptDraft();
  const [editing, edit, endEditing] = useOpening<true>(() => (draft?.kind === kind && draft.id === id ? true : null));
  const title = person?.display_name ?? `A ${KIND_WORDS[kind].one}`;
  return (
    <Page
      title={title}
      toolbar={
        <>
          <Link to="/profiles" search={{ kind }}>
            {KIND_WORDS[kind].title}
          </Link>
          <h1>{title}</h1>
          {location ? <Chip>{locationLabel(location)}</Chip> : null}
          {person && isTherapist(person) ? <Chip>{person.specialization}</Chip> : null}
          <PageActs>
            {today && date ? (
              <DatePicker
                value={date}
                today={today}
                week={weekWords(date)}
                onChange={(next) => navigate({ search: { date: next === today ? undefined : next } })}
              />
            ) : null}
            {kind === 'clients' && person && today ? <AuditorButton id={person.id} name={title} today={today} /> : null}
            <Button data-writes unavailable={!person} onClick={() => edit(true)}>
              Edit
            </Button>
          </PageActs>
        </>
      }
    >
      <Sheet fills="parts">
        <LoadFailure what="the profile" query={query}>
          They may be at a location that your account does not see, or deleted.
        </LoadFailure>
        {person && location && today && date ? (
          <Person person={person} location={location} today={today} date={date} />
        ) : query.error ? null : (
          <Skeletons>
            <Skeleton style={{ height: '24rem', width: '100%' }} />
          </Skeletons>
        )}
      </Sheet>
      {editing && person ? (
        <EditModal
          key={editing.key}
          profile={person}
          onClose={() => {
            endEditing(editing.key);
            void query.refetch();
          }}
        />
      ) : null}
    </Page>
  );
}

/** Looks a person up by name, and goes on to their page. */
export function NamedPerson({ kind }: { kind: ProfileKind }) {
  const { name } = useSearch();
  const [therapists, clients] = [useTherapists(true), useClients(kind === 'clients', true)];
  const query = kind === 'clients' ? clients : therapists;
  const found = query.data?.find(({ display_name }) => display_name === name);
  useEffect(() => {
    if (found) navigate({ to: `/people/${kind}/${found.id}`, replace: true });
  }, [kind, found]);
  return (
    <Page title={name ?? KIND_WORDS[kind].title} toolbar={<h1>{name}</h1>}>
      <Sheet>
        <LoadFailure what="the profile" query={query} />
        {query.data && !found ? (
          <EmptyState title={`No ${KIND_WORDS[kind].one} has this name`}>
            They may be at a location that your account does not see.
          </EmptyState>
        ) : null}
      </Sheet>
    </Page>
  );
}

interface Shown {
  person: Therapist | Client;
  location: Location;
  today: IsoDate;
  date: IsoDate;
}

function Person({ person, location, today, date }: Shown) {
  const view: View = isTherapist(person) ? 'therapist' : 'client';
  const { id, display_name: name } = person;
  const shown = { location, date, today, view, person: id, onPage: true };
  const week = useShownWeek(shown);
  const history = useQuery({
    ...queryOf(['history', view, id], historyEndpoints.personHistory, { params: { type: view, id } }),
    staleTime: 0,
  });
  const therapists = useTherapists().data ?? [];
  return (
    <TwoColumns narrow>
      <MainColumn label={`${name}: week and team`} flush>
        <WeekWorkspace {...shown} week={week} />
        <LoadFailure what="the team and the history" query={history} />
        {history.data ? <Team type={view} history={history.data} /> : null}
        <div className={`${css.part} ${css.columns}`}>
          {isTherapist(person) ? (
            <div>
              <THERAPIST.View profile={person} therapists={therapists} />
            </div>
          ) : (
            <>
              <div>
                <ClientNeeds profile={person} therapists={therapists} />
              </div>
              <ClientCare id={id} location={location} date={today} />
            </>
          )}
          <PersonLeave type={view} name={name} location={location} />
        </div>
      </MainColumn>
      <SideColumn label={`${name}: contacts and more`}>
        <section className={css.facts}>
          <ContactList contacts={person.contacts ?? []} />
        </section>
        {isTherapist(person) ? (
          <TherapistHours id={id} location={location} date={today} />
        ) : (
          <SideSection id="authorizations" title="Authorizations">
            <ClientAuthorizations id={id} location={location} date={today} />
          </SideSection>
        )}
        {history.data ? (
          <SideSection id="history" title="History">
            <Acts lines={history.data.lines} timeOf={(instant) => instantWords(location, instant)} />
          </SideSection>
        ) : null}
      </SideColumn>
    </TwoColumns>
  );
}
