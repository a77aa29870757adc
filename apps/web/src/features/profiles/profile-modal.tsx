import { useId, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { TEXTS } from '@clinic/contract';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { LOGIN_HINT, failureText, isLoginFailure, useTherapists } from './api/use-profiles.ts';
import { BrokenSessionsAlert } from './components/broken-sessions.tsx';
import { DeleteTherapist } from './components/delete-therapist.tsx';
import { LogIn } from './components/log-in.tsx';
import { ProfileFields } from './components/profile-fields.tsx';
import css from './components/profile-form.module.css';
import { StaleAlert, UnsavedAlert } from './components/unsaved.tsx';
import { KIND_WORDS, differences } from './model.ts';
import type { Profile, ProfileSpec } from './profile-spec.ts';
import { useEditing } from './use-editing.ts';

/** A profile: view, then edit, then save (PROF-03 to PROF-05). `listed` is what the card shows; null for a new one. */
export function ProfileModal<P extends Profile, F extends FieldValues, B>({
  spec,
  listed,
  onClose,
}: {
  spec: ProfileSpec<P, F, B>;
  listed: P | null;
  onClose: () => void;
}) {
  const { kind, api, toForm, toBody, labels, View, Edit } = spec;
  const { one } = KIND_WORDS[kind];
  const id = listed?.id ?? '';
  const therapists = useTherapists().data ?? [];
  const details = useQuery({
    // Asked for at each opening and by no event: what is edited stays, and someone deleted is not looked for again.
    queryKey: [one, id],
    queryFn: ({ signal }) => api.read(id, signal),
    enabled: listed !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const profile = details.data ?? listed;
  const editing = useEditing({
    kind,
    profile,
    blank: spec.blank,
    toForm,
    save: (form, version) => api.save(listed?.id ?? null, toBody(form, version)),
    check: (form, version) => api.check(id, toBody(form, version)),
    newest: () => api.read(id),
  });
  const formId = useId();
  const leaving = useRef(false);
  /** What waits for an answer. */
  const [asked, setAsked] = useState<'leave' | 'cancel' | 'delete' | null>(null);
  const name = profile?.display_name ?? `the new ${one}`;
  const done = (close: () => void, text: string): void => {
    leaving.current = true;
    toast({ text });
    close();
  };
  const saved = (close: () => void) => (now: P | null) => now && done(close, listed ? TEXTS.updated : TEXTS.created);
  const cancel = (close: () => void): void => {
    if (listed === null) close();
    else if (editing.isDirty) setAsked('cancel');
    else editing.discard();
  };

  return (
    <Dialog
      title={profile?.display_name ?? `New ${one}`}
      width={spec.width}
      onClose={onClose}
      mayClose={() => {
        if (leaving.current) return true;
        // Sent is sent: to ask whether it is let go of would promise what closing cannot do.
        if (editing.saving) return false;
        if (!editing.isDirty) return true;
        setAsked('leave');
        return false;
      }}
      bar={
        <>
          {profile ? <p className={css.sub}>{spec.standing(profile)}</p> : null}
          {details.error ? (
            <Notice
              tone="error"
              title={`${TEXTS.detailsFailed} ${failureText(details.error)}`}
              actions={
                isLoginFailure(details.error) ? (
                  <LogIn />
                ) : (
                  <Button onClick={() => void details.refetch()}>Try again</Button>
                )
              }
            >
              {isLoginFailure(details.error) ? `${LOGIN_HINT} ` : ''}Shown is what the list knew.
            </Notice>
          ) : null}
          {editing.failure ? (
            <Notice
              tone="error"
              title={`${TEXTS.saveFailed} ${editing.failure.text}`}
              actions={editing.failure.login ? <LogIn /> : undefined}
            >
              {editing.failure.login ? `${LOGIN_HINT} ` : ''}Your changes are still in the form
              {editing.failure.login ? ', and will be after the login' : ''}.
            </Notice>
          ) : null}
        </>
      }
      footer={(close) => (
        <>
          {kind === 'therapists' && profile ? (
            <Button variant="danger" unavailable={editing.saving} onClick={() => setAsked('delete')}>
              Delete
            </Button>
          ) : null}
          <span className="grow" />
          <Button unavailable={editing.saving} onClick={close}>
            Close
          </Button>
          {editing.editing ? (
            <>
              {kind === 'clients' ? (
                <Button unavailable={editing.saving} onClick={() => cancel(close)}>
                  Cancel
                </Button>
              ) : null}
              <Button variant="primary" type="submit" form={formId} unavailable={editing.saving}>
                Save Changes
              </Button>
            </>
          ) : (
            <Button unavailable={!details.data} onClick={editing.edit}>
              Edit
            </Button>
          )}
        </>
      )}
    >
      {(close) => (
        <>
          {editing.editing ? (
            <form
              id={formId}
              className={css.form}
              noValidate
              onSubmit={(event) =>
                void editing.form.handleSubmit(async (values) => saved(close)(await editing.submit(values)))(event)
              }
            >
              <h3>{spec.section}</h3>
              <ProfileFields form={editing.form} fields={spec.fields} columns={spec.columns} />
              <Edit form={editing.form} therapists={therapists} />
            </form>
          ) : profile ? (
            <div className={css.form}>
              <h3>{spec.section}</h3>
              <dl className={`${css.three} ${css.read}`}>
                {spec.facts(profile).map(([fact, value]) => (
                  <div key={fact}>
                    <dt>{fact}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <View profile={profile} therapists={therapists} />
            </div>
          ) : null}
          {asked === 'leave' || asked === 'cancel' ? (
            <UnsavedAlert
              name={name}
              onKeep={() => setAsked(null)}
              onDiscard={() => {
                setAsked(null);
                editing.discard();
                if (asked === 'cancel') return;
                leaving.current = true;
                close();
              }}
            />
          ) : null}
          {asked === 'delete' && profile ? (
            <DeleteTherapist
              id={profile.id}
              name={name}
              onClose={() => setAsked(null)}
              onDeleted={() => {
                editing.discard();
                done(close, TEXTS.deleted);
              }}
            />
          ) : null}
          {editing.broken ? (
            <BrokenSessionsAlert
              broken={editing.broken}
              who={kind === 'clients' ? 'therapist' : 'client'}
              onKeep={editing.keepEditing}
              onSave={() => void editing.saveAnyway().then(saved(close))}
            />
          ) : null}
          {editing.theirs ? (
            <StaleAlert
              name={name}
              theirs={differences(editing.base, toForm(editing.theirs), labels)}
              mine={differences(editing.base, editing.form.getValues(), labels)}
              onTheirs={editing.takeTheirs}
              onMine={() => void editing.saveOnTop().then(saved(close))}
              onKeep={editing.keepEditing}
            />
          ) : null}
        </>
      )}
    </Dialog>
  );
}
