import { useId, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS, type Therapist } from '@clinic/contract';
import { locationLabel, parseDate, longDate, isLocation } from '@clinic/domain';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { failureText, readTherapist, saveTherapist } from './api/use-profiles.ts';
import { DeleteTherapist } from './components/delete-therapist.tsx';
import css from './components/profile-form.module.css';
import { TherapistFields } from './components/therapist-fields.tsx';
import { StaleAlert, UnsavedAlert } from './components/unsaved.tsx';
import { WeekPicture, WeekWords } from './components/week.tsx';
import { THERAPIST_LABELS, differences, newTherapist, therapistBody, therapistForm } from './model.ts';
import { weeklyHours } from './week.ts';
import { useEditing } from './use-editing.ts';

/** A therapist: view, then edit, then save (PROF-03, PROF-05). `listed` is what the card shows; null for a new one. */
export function TherapistModal({ listed, onClose }: { listed: Therapist | null; onClose: () => void }) {
  const id = listed?.id ?? '';
  const details = useQuery({
    // Asked for at each opening and by no event: what is edited stays, and someone deleted is not looked for again.
    queryKey: ['therapist', id],
    queryFn: ({ signal }) => readTherapist(id, signal),
    enabled: listed !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const profile = details.data ?? listed;
  const editing = useEditing({
    kind: 'therapists',
    profile,
    blank: newTherapist,
    toForm: therapistForm,
    save: (form, version) => saveTherapist(listed?.id ?? null, therapistBody(form, version)),
    newest: () => readTherapist(id),
  });
  const formId = useId();
  const leaving = useRef(false);
  const [asked, setAsked] = useState<'leave' | 'delete' | null>(null);
  const done = (close: () => void, text: string): void => {
    leaving.current = true;
    toast({ text });
    close();
  };
  const saved = (close: () => void) => (profileSaved: Therapist | null) =>
    profileSaved && done(close, listed ? TEXTS.updated : TEXTS.created);

  return (
    <Dialog
      title={profile?.display_name ?? 'New therapist'}
      width="44rem"
      onClose={onClose}
      mayClose={() => {
        if (leaving.current || !editing.isDirty) return true;
        setAsked('leave');
        return false;
      }}
      bar={
        <>
          {profile ? <p className={css.sub}>{standing(profile)}</p> : null}
          {details.error ? (
            <Notice
              tone="error"
              title={`${TEXTS.detailsFailed} ${failureText(details.error)}`}
              actions={<Button onClick={() => void details.refetch()}>Try again</Button>}
            >
              Shown is what the list knew.
            </Notice>
          ) : null}
          {editing.failure ? (
            <Notice tone="error" title={`${TEXTS.saveFailed} ${editing.failure}`}>
              Your changes are still in the form.
            </Notice>
          ) : null}
        </>
      }
      footer={(close) => (
        <>
          {profile ? (
            <Button variant="danger" onClick={() => setAsked('delete')}>
              Delete
            </Button>
          ) : null}
          <span className="grow" />
          {editing.editing ? (
            <>
              <Button onClick={close}>Close</Button>
              <Button variant="primary" type="submit" form={formId} unavailable={editing.saving}>
                Save Changes
              </Button>
            </>
          ) : (
            <>
              <Button unavailable={!details.data} onClick={editing.edit}>
                Edit
              </Button>
              <Button onClick={close}>Close</Button>
            </>
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
              <TherapistFields form={editing.form} />
            </form>
          ) : profile ? (
            <TherapistView therapist={profile} />
          ) : null}
          {asked === 'leave' ? (
            <UnsavedAlert
              name={profile?.display_name ?? 'the new therapist'}
              onKeep={() => setAsked(null)}
              onDiscard={() => {
                editing.discard();
                leaving.current = true;
                close();
              }}
            />
          ) : null}
          {asked === 'delete' && profile ? (
            <DeleteTherapist
              therapist={profile}
              onClose={() => setAsked(null)}
              onDeleted={() => {
                editing.discard();
                done(close, TEXTS.deleted);
              }}
            />
          ) : null}
          {editing.theirs ? (
            <StaleAlert
              name={profile?.display_name ?? ''}
              theirs={differences(editing.base, therapistForm(editing.theirs), THERAPIST_LABELS)}
              mine={differences(editing.base, editing.form.getValues(), THERAPIST_LABELS)}
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

/** `RBT at Altamonte since July 2021`. */
function standing(t: Therapist): string {
  const date = parseDate(t.start_date);
  const since = date ? ` since ${longDate(date).replace(/^\w+, (\w+) \d+,/, '$1')}` : '';
  return `${t.specialization} at ${isLocation(t.location) ? locationLabel(t.location) : t.location}${since}`;
}

function TherapistView({ therapist: t }: { therapist: Therapist }) {
  const date = parseDate(t.start_date);
  const facts = [
    ['First name', t.first_name],
    ['Last name', t.last_name],
    ['Location', isLocation(t.location) ? locationLabel(t.location) : t.location],
    ['Specialization', t.specialization],
    ['Gender', t.gender],
    ['Start date', date ? longDate(date).replace(/^\w+, /, '') : t.start_date],
    ['Consistency', t.consistency === null ? 'not recorded' : String(t.consistency)],
  ] as const;
  return (
    <div className={css.form}>
      <h3>General Information</h3>
      <dl className={`${css.three} ${css.read}`}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>
        Weekly Availability <span className="small muted">{weeklyHours(t.availability)}</span>
      </h3>
      <WeekPicture windows={t.availability} />
      <WeekWords windows={t.availability} />
    </div>
  );
}
