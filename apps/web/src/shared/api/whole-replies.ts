import {
  type BackedUpTherapists,
  type OptionFigures,
  type ProposalMetadata,
  type ProposalReply,
  type SlotsReply,
} from '@clinic/contract';
import { mapValues } from '@clinic/domain';
import { isRecord } from './client.ts';

/**
 * Completes replies. Our server sends more fields than the specification names, and the pages use these extra fields.
 * An older or different server may leave them out; the pages then show what they received.
 */

/** The fields of a day's entries that the pages read as text. */
const APPOINTMENT_TEXTS = [
  'Id',
  'StartDateTime',
  'EndDateTime',
  'Subject',
  'Preferred_Provider_Name',
  'Appointment_Status',
  'Client Name',
  'Location',
] as const;
const AVAILABILITY_TEXTS = ['therapist_name', 'start_time', 'end_time', 'location'] as const;

/** The entries that are objects, with an empty text for each of these fields that is missing or null. */
const withTexts = <Entry>(entries: readonly Entry[], fields: readonly string[]): Entry[] =>
  entries.flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const missing = fields.filter((field) => typeof entry[field] !== 'string');
    if (missing.length === 0) return [entry];
    const texts: Record<string, string> = {};
    for (const field of missing) texts[field] = typeof entry[field] === 'number' ? String(entry[field]) : '';
    return [{ ...entry, ...texts }];
  });

/**
 * Completes the reply to `GET /slots`. Without `people`, everyone booked or available gets a row. An appointment without
 * a therapist is unassigned, and one without times is not shown.
 */
export const wholeDay = (
  reply: Partial<SlotsReply> & Pick<SlotsReply, 'appointments' | 'availabilities'>,
): SlotsReply => ({
  absences: [],
  people: [],
  version: 0,
  now: '',
  ...reply,
  appointments: withTexts(reply.appointments, APPOINTMENT_TEXTS),
  availabilities: withTexts(reply.availabilities, AVAILABILITY_TEXTS),
});

/**
 * The metadata fields that the specification does not name, empty when missing. `metadata` itself stays as received,
 * to be sent back.
 */
export function metadataDetails(metadata: Partial<ProposalMetadata>): Pick<
  ProposalMetadata,
  'client_figures' | 'clients' | 'claims' | 'versions'
> & {
  options: ShownOptions;
  hours: NonNullable<ProposalMetadata['hours']>;
} {
  const { options = {}, client_figures = {}, clients = {}, claims = {}, hours = {}, versions = {} } = metadata;
  return {
    options: mapValues(options, (day) => mapValues(day, shownFigures)),
    client_figures,
    clients,
    claims,
    hours,
    versions,
  };
}

/**
 * The figures that the server sent for an option. A missing figure is not shown, because showing 0 would be wrong.
 */
export type ShownFigures = Partial<OptionFigures> & Pick<OptionFigures, 'label' | 'proven'>;
/** The figures of each option, by date and option. */
export type ShownOptions = Readonly<Record<string, Readonly<Record<string, ShownFigures>>>>;

const shownFigures = (f: Partial<OptionFigures>): ShownFigures => {
  const { minutes_kept: kept, minutes_uncovered: uncovered } = f;
  const needed = kept === undefined || uncovered === undefined ? {} : { minutes_needed: kept + uncovered };
  return { label: '', proven: false, ...needed, ...f };
};

/** Completes a proposal. The reply to a refresh may come without the free therapists; those of `reserve` then stay. */
export const wholeProposal = (
  reply: Partial<ProposalReply> & Pick<ProposalReply, 'data'>,
  reserve: BackedUpTherapists = {},
): ProposalReply => ({
  data: reply.data,
  metadata: reply.metadata ?? ({} as ProposalMetadata),
  backed_up_therapists: reply.backed_up_therapists ?? reserve,
});
