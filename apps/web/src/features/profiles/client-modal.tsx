import { useId, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS, type Client, type Therapist } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/states.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { failureText, readClient, saveClient, useTherapists } from './api/use-profiles.ts';
import { ClientFields, RestrictionList } from './components/client-fields.tsx';
import css from './components/profile-form.module.css';
import { StaleAlert, UnsavedAlert } from './components/unsaved.tsx';
import { CLIENT_LABELS, clientBody, clientForm, differences, newClient } from './model.ts';
import { useEditing } from './use-editing.ts';

/** A client: view, then edit, then save (PROF-04, PROF-05); there is no deleting one. Null for a new one. */
export function ClientModal({ listed, onClose }: { listed: Client | null; onClose: () => void }) {
  const id = listed?.id ?? '';
  const therapists = useTherapists().data ?? [];
  const details = useQuery({
    // Asked for at each opening and by no event: what is edited stays, and someone deleted is not looked for again.
    queryKey: ['client', id],
    queryFn: ({ signal }) => readClient(id, signal),
    enabled: listed !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const profile = details.data ?? listed;
  const editing = useEditing({
    kind: 'clients',
    profile,
    blank: newClient,
    toForm: clientForm,
    save: (form, version) => saveClient(listed?.id ?? null, clientBody(form, version)),
    newest: () => readClient(id),
  });
  const formId = useId();
  const leaving = useRef(false);
  /** What waits for the answer whether unsaved changes may go. */
  const [asked, setAsked] = useState<'close' | 'cancel' | null>(null);
  const saved = (close: () => void) => (profileSaved: Client | null) => {
    if (!profileSaved) return;
    leaving.current = true;
    toast({ text: listed ? TEXTS.updated : TEXTS.created });
    close();
  };
  const cancel = (close: () => void): void => {
    if (listed === null) close();
    else if (editing.isDirty) setAsked('cancel');
    else editing.discard();
  };

  return (
    <Dialog
      title={profile?.display_name ?? 'New client'}
      width="36rem"
      onClose={onClose}
      mayClose={() => {
        if (leaving.current || !editing.isDirty) return true;
        setAsked('close');
        return false;
      }}
      bar={
        <>
          {profile ? <p className={css.sub}>Client at {placeOf(profile)}</p> : null}
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
      footer={(close) =>
        editing.editing ? (
          <>
            <Button onClick={close}>Close</Button>
            <span className="grow" />
            <Button onClick={() => cancel(close)}>Cancel</Button>
            <Button variant="primary" type="submit" form={formId} unavailable={editing.saving}>
              Save Changes
            </Button>
          </>
        ) : (
          <>
            <span className="grow" />
            <Button unavailable={!details.data} onClick={editing.edit}>
              Edit
            </Button>
            <Button onClick={close}>Close</Button>
          </>
        )
      }
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
              <ClientFields form={editing.form} therapists={therapists} />
            </form>
          ) : profile ? (
            <ClientView client={profile} therapists={therapists} />
          ) : null}
          {asked ? (
            <UnsavedAlert
              name={profile?.display_name ?? 'the new client'}
              onKeep={() => setAsked(null)}
              onDiscard={() => {
                setAsked(null);
                editing.discard();
                if (asked !== 'close') return;
                leaving.current = true;
                close();
              }}
            />
          ) : null}
          {editing.theirs ? (
            <StaleAlert
              name={profile?.display_name ?? ''}
              theirs={differences(editing.base, clientForm(editing.theirs), CLIENT_LABELS)}
              mine={differences(editing.base, editing.form.getValues(), CLIENT_LABELS)}
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

const placeOf = (c: Client): string => (isLocation(c.location) ? locationLabel(c.location) : c.location);

function ClientView({ client: c, therapists }: { client: Client; therapists: readonly Therapist[] }) {
  const facts = [
    ['Name', c.display_name],
    ['Gender', c.gender],
    ['Location', placeOf(c)],
  ] as const;
  const ours = [
    c.care_team_only ? 'Only the care team' : '',
    c.rbt_or_above ? 'RBT or above' : '',
    c.two_to_one ? 'Two therapists at a time' : '',
  ].filter(Boolean);
  return (
    <div className={css.form}>
      <h3>Client Information</h3>
      <dl className={`${css.three} ${css.read}`}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>Client Restrictions</h3>
      {c.restrictions.length > 0 ? (
        <RestrictionList restrictions={c.restrictions} location={c.location} therapists={therapists} />
      ) : null}
      {ours.map((words) => (
        <p key={words}>
          <b>{words}</b>
        </p>
      ))}
      {c.restrictions.length + ours.length === 0 ? (
        <p className="muted">No restrictions: any therapist may see this client.</p>
      ) : null}
    </div>
  );
}
