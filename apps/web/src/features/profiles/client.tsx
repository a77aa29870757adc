import { CLIENT_MARKS, type Client, type ClientBody } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { clientApi } from './api/use-profiles.ts';
import { RestrictionFields } from './components/restriction-fields.tsx';
import { RestrictionList } from './components/restriction-list.tsx';
import { GenderOptions, LocationOptions } from './components/select-options.tsx';
import { CLIENT_LABELS as LABELS, clientBody, clientForm, newClient, type ClientForm } from './model.ts';
import { requiredFields, type ProfileSpec } from './profile-spec.ts';

const needed = requiredFields<ClientForm>(LABELS);
const placeOf = (c: Client): string => (isLocation(c.location) ? locationLabel(c.location) : c.location);

/** A client's profile (PROF-04, PROF-06); clients cannot be deleted. */
export const CLIENT: ProfileSpec<Client, ClientForm, ClientBody> = {
  kind: 'clients',
  width: '36rem',
  api: clientApi,
  blank: newClient,
  toForm: clientForm,
  toBody: clientBody,
  labels: LABELS,
  standing: (c) => `Client at ${placeOf(c)}`,
  section: 'Client Information',
  columns: 2,
  fields: [
    needed('first_name', 'text'),
    needed('last_name', 'text'),
    needed('gender', GenderOptions),
    needed('location', LocationOptions),
  ],
  facts: (c) => [
    ['Name', c.display_name],
    [LABELS.gender, c.gender],
    [LABELS.location, placeOf(c)],
  ],
  View: ({ profile: c, therapists }) => {
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
      </>
    );
  },
  Edit: RestrictionFields,
};
