import type { ReactNode } from 'react';
import type { Therapist } from '@clinic/contract';
import type { Profile, ProfileForm, ProfileSpec } from '../profile-spec.ts';
import type { Editing } from '../use-editing.ts';
import { ContactFields } from './contact-fields.tsx';
import { ContactList } from './contact-list.tsx';
import { ProfileFields } from './profile-fields.tsx';
import css from './profile-form.module.css';

/** A profile's two sections, for reading or editing. */
export function ProfileBody<P extends Profile, F extends ProfileForm, B>({
  spec,
  editing,
  profile,
  loaded,
  therapists,
  formId,
  more,
  onSaved,
}: {
  spec: ProfileSpec<P, F, B>;
  editing: Editing<P, F>;
  profile: P | null;
  /** Whether the whole profile has loaded. Until then, only what the card shows is known. */
  loaded: boolean;
  therapists: readonly Therapist[];
  formId: string;
  /** What else is shown of the person, below the profile. */
  more: ReactNode;
  onSaved: (saved: P) => void;
}) {
  const { View, Edit, section } = spec;
  if (editing.editing)
    return (
      <form
        id={formId}
        className={css.form}
        noValidate
        onSubmit={(event) =>
          void editing.form.handleSubmit(async (values) => {
            await editing.submit(values, onSaved);
          })(event)
        }
      >
        <h3>{section}</h3>
        <ProfileFields form={editing.form} spec={spec} />
        <Edit form={editing.form} therapists={therapists} />
        <ContactFields form={editing.form} />
      </form>
    );
  if (!profile) return null;
  return (
    <div className={css.form}>
      <h3>{section}</h3>
      <dl className={`${css.three} ${css.read}`}>
        {spec.facts(profile).map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <View profile={profile} therapists={therapists} />
      {loaded ? <ContactList contacts={profile.contacts ?? []} /> : null}
      {loaded ? more : null}
    </div>
  );
}
