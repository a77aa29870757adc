import { eachClientMark, type ClientMark } from '@clinic/contract';

/**
 * A client's yes-or-no fields in words. `limits`: whether the field rules therapists out, as the client's card shows.
 */
export const CLIENT_MARK_WORDS: Readonly<Record<ClientMark, { label: string; means: string; limits: boolean }>> = {
  care_team_only: { label: 'Only the care team', means: 'therapists who regularly see this client', limits: true },
  rbt_or_above: { label: 'RBT or above', means: 'no BT', limits: true },
  two_to_one: { label: 'Two therapists at a time', means: '', limits: false },
};

/** The label people read for a field, by its name in the API: in forms, in a profile's list of changes, in refusals. */
export const FIELD_LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  location: 'Location',
  specialization: 'Specialization',
  gender: 'Gender',
  start_date: 'Start date',
  end_date: 'Last day',
  consistency: 'Consistency',
  availability: 'Weekly Availability',
  restrictions: 'Client Restrictions',
  credentials: 'Credentials',
  credential: 'Credential',
  number: 'Number',
  tags: 'Skills',
  needs: 'Needs',
  tag: 'Skill',
  from_date: 'From',
  until_date: 'Until',
  contacts: 'Contacts',
  relation: 'Relation',
  phone: 'Telephone',
  language: 'Language',
  preferred: 'Preferred way',
  ...eachClientMark((mark) => CLIENT_MARK_WORDS[mark].label),
  client: 'Client',
  therapist: 'Therapist',
  date: 'Date',
  start: 'From',
  end: 'To',
  start_time: 'From',
  end_time: 'To',
  subject: 'Subject',
  status: 'Status',
  weekly_until: 'Weekly until',
  scope: 'Series',
  anyway: 'Book anyway',
  loss: 'Cause',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  locations: 'Locations',
  password: 'Password',
  your_password: 'Your own password',
  current_password: 'Current password',
  new_password: 'New password',
} as const;
