import {
  LEAD_FIGURES,
  type BackedUpTherapists,
  type OfferedCell,
  type OptionFigures,
  type ProposalMetadata,
  type ProposalReply,
} from '@clinic/contract';
import { mapValues } from '@clinic/domain';
import { isRecord } from './client.ts';
import { flag, listOf, nullable, number, recordOf, text, withFields, words, type Read } from './lenient.ts';

/**
 * Reads the options in a reply. Our server sends more fields than the specification names, and the pages use these extra
 * fields; another one may leave them out, or send null or another kind of value. The pages then show what they received:
 * a broken entry costs its own cell or figure.
 */

/** Options as the pages use them. */
export type ShownProposal = ProposalReply & {
  /** The options and metadata as they were received, to be sent back; left out if all of them could be read. */
  readonly received?: Received | undefined;
};
type Received = Pick<ProposalReply, 'data' | 'metadata'>;

/** What to send back of a proposal: what was received. */
export const receivedOf = ({ received, data, metadata }: ShownProposal): Received => received ?? { data, metadata };

/** A cell; undefined, and so a dash, if it has neither a therapist nor a status. */
const readCell: Read<OfferedCell> = (value) => {
  if (!isRecord(value)) return undefined;
  const [therapist = '', status = ''] = [words(value['therapist']), words(value['status'])];
  if (therapist === '' && status === '') return undefined;
  const known = (['team', 'known', 'new'] as const).find((each) => each === value['familiarity']);
  return {
    ...withFields(value, { minutes: number, from: nullable(text), again: flag, subject: text, session: text }),
    therapist,
    status,
    branch_state: text(value['branch_state']) ?? '',
    familiarity: known,
  };
};

/**
 * Options, clients and dates without anything that can be read keep their place: they are shown as dashes, and never
 * look as if nothing had to change.
 */
const orEmpty =
  <T>(read: Read<Record<string, T>>): ((value: unknown) => Record<string, T>) =>
  (value) =>
    read(value) ?? {};

const readOptions = orEmpty(recordOf(orEmpty(recordOf(orEmpty(recordOf(orEmpty(recordOf(readCell))))))));

const FIGURE_TEXTS = new Set(['label', 'strategy', 'compared', 'nearly_the_same_as', 'nearly_the_same_in']);
const readFigure = (key: string, figure: unknown): boolean => {
  if (key === 'leads_in') return LEAD_FIGURES.some((each) => each === figure) || figure === null;
  if (key === 'proven') return flag(figure) !== undefined;
  return (FIGURE_TEXTS.has(key) ? text(figure) : number(figure)) !== undefined;
};
const readFigures: Read<Record<string, unknown>> = (value) =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([key, figure]) => readFigure(key, figure)))
    : undefined;

/** A record that has all of these fields. */
const having =
  (fields: Readonly<Record<string, Read<unknown>>>): Read<Record<string, unknown>> =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([key, read]) => read(value[key]) !== undefined)
      ? value
      : undefined;

const span = having({ start: number, end: number });
const readClaim = having({ therapist: text, from: number, to: number });
const readHours: Read<Record<string, unknown>> = (value) => {
  const fields = {
    week: number,
    week_limit: number,
    day: number,
    day_limit: nullable(number),
    freed: number,
    before: number,
  };
  const own = having({ ...fields, rest: listOf(span) })(value);
  return own && withFields(own, { rest: listOf(span), booked: recordOf(listOf(span)) });
};

/** The fields of the metadata that the pages read; each is left out if it is of another kind. */
const METADATA: Readonly<Record<string, Read<unknown>>> = {
  location: text,
  day: text,
  proposal: words,
  revision: number,
  options: recordOf(recordOf(readFigures)),
  client_figures: recordOf(recordOf(recordOf(readFigures))),
  claims: recordOf(recordOf(recordOf(listOf(readClaim)))),
  hours: recordOf(recordOf(readHours)),
  clients: recordOf(number),
  told: recordOf(having({ people: number, kept: flag })),
  chosen: having({ date: text, client: text }),
  more: flag,
  unfinished: listOf(text),
  versions: recordOf(number),
};

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

/** Reads a proposal. The reply to a refresh may come without the free therapists; those of `reserve` then stay. */
export function wholeProposal(
  reply: Partial<ProposalReply> & Pick<ProposalReply, 'data'>,
  reserve: BackedUpTherapists = {},
): ShownProposal {
  const given: unknown = reply.metadata;
  const free: unknown = reply.backed_up_therapists;
  const data = readOptions(reply.data);
  const metadata = (isRecord(given) ? withFields(given, METADATA) : {}) as ProposalMetadata;
  const received = { data: reply.data, metadata: (isRecord(given) ? reply.metadata : undefined) ?? metadata };
  const isWhole = JSON.stringify([data, metadata]) === JSON.stringify([received.data, received.metadata]);
  return {
    ...(isWhole ? received : { data, metadata, received }),
    backed_up_therapists: (isRecord(free) ? reply.backed_up_therapists : undefined) ?? reserve,
  };
}
