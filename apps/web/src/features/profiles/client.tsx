import { CLIENT_MARKS, COVER_NOTE, type Client, type Therapist } from '@clinic/contract';
import { clientApi } from './api/use-profiles.ts';
import {
  CLIENT_FORM,
  CLIENT_LABELS as LABELS,
  clientBody,
  clientForm,
  newClient,
  type ClientBody,
  type ClientForm,
} from './client-form.ts';
import { ListFields } from './components/list-fields.tsx';
import { RestrictionFields } from './components/restriction-fields.tsx';
import { RestrictionList } from './components/restriction-list.tsx';
import { WordList } from './components/word-list.tsx';
import { fieldsToRead, placeOf } from './form-fields.ts';
import { AUTHORIZATION_LIST, authorizationWords, NEED_LIST, needWords } from './list-rows.ts';
import type { ProfileSpec } from './profile-spec.ts';

/** Whom a client may see, what they need, and what a covering therapist should know. */
export function ClientNeeds({ profile: c, therapists }: { profile: Client; therapists: readonly Therapist[] }) {
  const written = COVER_NOTE.filter((part) => c[part] !== '');
  const ours = CLIENT_MARKS.filter((mark) => c[mark]);
  return (
    <>
      <h3>{LABELS.restrictions}</h3>
      {c.restrictions.length > 0 ? (
        <RestrictionList restrictions={c.restrictions} location={c.location} therapists={therapists} />
      ) : null}
      {ours.map((mark) => (
        <p key={mark}>
          <b>{LABELS[mark]}</b>
        </p>
      ))}
      {c.restrictions.length + ours.length === 0 ? (
        <p className="muted">No restrictions: any therapist may see this client.</p>
      ) : null}
      {written.length > 0 ? <h3>Note for the covering therapist</h3> : null}
      {written.map((part) => (
        <p key={part}>
          <b>{LABELS[part]}</b>: {c[part]}
        </p>
      ))}
      <WordList title={NEED_LIST.title} words={c.needs.map(needWords)} />
    </>
  );
}

/** A client's profile (PROF-04, PROF-06). Clients cannot be deleted. */
export const CLIENT: ProfileSpec<Client, ClientForm, ClientBody> = {
  kind: 'clients',
  width: '44rem',
  api: clientApi,
  blank: newClient,
  toForm: clientForm,
  toBody: clientBody,
  labels: LABELS,
  standing: (c) => `Client at ${placeOf(c.location)}`,
  section: 'Client Information',
  columns: 2,
  fields: CLIENT_FORM,
  facts: (c) => [['Name', c.display_name], ...fieldsToRead(CLIENT_FORM, LABELS, c)],
  View: ({ profile, therapists }) => (
    <>
      <ClientNeeds profile={profile} therapists={therapists} />
      <WordList
        title={AUTHORIZATION_LIST.title}
        words={(profile.authorizations ?? []).map(authorizationWords)}
        // A client in a list comes without authorizations; only a loaded profile can say that there are none.
        none={profile.authorizations && AUTHORIZATION_LIST.none}
      />
    </>
  ),
  Edit: ({ form, therapists }) => (
    <>
      <RestrictionFields form={form} therapists={therapists} />
      <ListFields form={form} spec={NEED_LIST} />
      <ListFields form={form} spec={AUTHORIZATION_LIST} />
    </>
  ),
};
