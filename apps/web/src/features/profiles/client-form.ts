import {
  eachClientMark,
  eachNotePart,
  type Client,
  type BodyOf,
  type profilesEndpoints,
  type ClientMark,
  type CLIENT_FIELDS,
  type WireRestriction,
} from '@clinic/contract';
import { USUAL_PRIORITY } from '@clinic/domain';
import { FIELD_LABELS } from '../../shared/field-labels.ts';
import { contactRows, contactsTyped, type ContactRow } from './contacts.ts';
import {
  blankFields,
  choiceField,
  fieldsToBody,
  fieldsToForm,
  noteField,
  optionalDateField,
  textField,
  versionIn,
  type FormField,
  type FormFields,
} from './form-fields.ts';
import { authorizationRows, authorizationsTyped, needRows, needsTyped, type ListRow } from './list-rows.ts';
import { nothingChosen, withChosen, type Choosing } from './restrictions.ts';

/** Pure functions for a client's form: its fields, its initial values, and the request body made from it. */

type Names = Exclude<keyof typeof CLIENT_FIELDS, ClientMark>;

/** First or last name. The view leaves these out, since it shows the whole name. */
const name = { ...textField(), read: null };

/** The client's priority. Empty: the priority follows from how much care the client has lost or would lose. */
const priority: FormField<number> = {
  input: 'number',
  required: false,
  hint: '(leave empty: children who lost more care go first)',
  check: (typed) =>
    (/^\d{1,4}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 1000) || 'A whole number from 1 to 1000',
  toForm: (value) => (value === USUAL_PRIORITY ? '' : String(value)),
  toBody: (typed) => (typed === '' ? USUAL_PRIORITY : Number(typed)),
  read: (value) =>
    value === USUAL_PRIORITY ? 'Children who lost more care go first' : `${value} (100 is usual), set by hand`,
};

export const CLIENT_FORM: FormFields<Client, Names> = {
  first_name: name,
  last_name: name,
  gender: choiceField('gender'),
  location: choiceField('location'),
  priority,
  end_date: optionalDateField('not set'),
  ...eachNotePart(noteField),
};

export type ClientBody = BodyOf<typeof profilesEndpoints.createClient>;

export interface ClientForm extends Record<Names, string>, Record<ClientMark, boolean> {
  restrictions: WireRestriction[];
  needs: ListRow[];
  authorizations: ListRow[];
  /** A restriction that is chosen but not yet added. Saving includes it if it is complete. */
  adding: Choosing;
  contacts: ContactRow[];
}

/** The labels of a client's fields, including those of a restriction that is not added yet. */
export const CLIENT_LABELS = { ...FIELD_LABELS, adding: FIELD_LABELS.restrictions };

export const newClient = (): ClientForm => ({
  ...blankFields(CLIENT_FORM),
  restrictions: [],
  needs: [],
  authorizations: [],
  adding: nothingChosen(),
  contacts: [],
  ...eachClientMark(() => false),
});

export const clientForm = (client: Client): ClientForm => ({
  ...fieldsToForm(CLIENT_FORM, client),
  restrictions: client.restrictions.map((restriction) => ({ ...restriction })),
  adding: nothingChosen(),
  needs: needRows(client.needs),
  authorizations: authorizationRows(client.authorizations),
  contacts: contactRows(client),
  ...eachClientMark((mark) => client[mark]),
});

/** The request body. `version`: the version that was edited; undefined for a new client. */
export const clientBody = (form: ClientForm, version: number | undefined): ClientBody => ({
  ...fieldsToBody<Client, Names>(CLIENT_FORM, form),
  restrictions: withChosen(form.restrictions, form.adding),
  needs: needsTyped(form.needs),
  authorizations: authorizationsTyped(form.authorizations),
  contacts: contactsTyped(form.contacts),
  ...eachClientMark((mark) => form[mark]),
  ...versionIn(version),
});
