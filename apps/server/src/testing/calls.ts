import type {
  AbsenceLossBody,
  ActionsReply,
  Explanation,
  ProposalReply,
  RefreshReply,
  SlotsReply,
  WireAppointment,
} from '@clinic/contract';
import { everyone, submitBody } from '@clinic/testkit';
import type { LightMyRequestResponse } from 'fastify';
import type { SignedIn } from './test-app.ts';
import { DATE } from './small-clinic.ts';

export { everyone, submitBody };

export type Query = {
  therapist?: string;
  client?: string;
  begin?: string;
  end?: string;
  date: string;
  location?: string;
  replaces?: boolean;
  id?: string | undefined;
  loss?: AbsenceLossBody;
};

/**
 * Saves absences as the page does. With `take_back`, sessions that a commit gave to other therapists return to their
 * original therapists; with `wait_for`, the reply may contain only Option 1.
 */
export async function saveAbsences(
  who: SignedIn,
  queries: readonly Query[],
  location = 'altamonte',
  more: { readonly take_back?: boolean | undefined; readonly wait_for?: 'first' } = {},
): Promise<LightMyRequestResponse> {
  return who.call({
    method: 'POST',
    url: '/api/api/scheduler/process',
    payload: {
      date: queries[0]?.date,
      location,
      ...more,
      queries: queriesOf(queries, location),
    },
  });
}

/** The absences as the page sends them. */
export const queriesOf = (queries: readonly Query[], location: string): object[] =>
  queries.map(({ therapist, client, ...q }) => ({
    begin: '00:00',
    end: '23:59',
    location,
    replaces: true,
    ...q,
    ...(therapist === undefined ? { type: 'client_cancel', client } : { type: 'therapist_cancel', therapist }),
  }));

/** Saves absences and returns the options; by default on the small clinic's day. */
export async function propose(who: SignedIn, ...absences: Partial<Query>[]): Promise<ProposalReply> {
  const reply = await saveAbsences(
    who,
    absences.map((absence) => ({ date: DATE, ...absence })),
    'altamonte',
    { take_back: true },
  );
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json<ProposalReply>();
}

/** The therapists in a client's cells in one option, in the order of the cells. */
export const takersOf = (
  { data }: Pick<ProposalReply, 'data'>,
  date: string,
  client = 'Bo Lee',
  option = 'Option 1',
): string[] => Object.values(data[date]?.[client]?.[option] ?? {}).map((cell) => cell.therapist);

/** Commits the same option for every client. */
export async function commitEveryone(who: SignedIn, proposal: ProposalReply, option?: string): Promise<ActionsReply> {
  const reply = await submit(who, submitBody(proposal, everyone(proposal, option)));
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json<ActionsReply>();
}

/** Requests options for the small clinic's day. */
export async function solveDay(who: SignedIn, more: object = {}): Promise<ProposalReply> {
  const payload = { location: 'altamonte', dates: [DATE], ...more };
  const reply = await who.call({ method: 'POST', url: '/api/proposals', payload });
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json<ProposalReply>();
}

export interface Selection {
  date: string;
  client: string;
  option: string;
}

/** The option chosen for a client on the small clinic's day. */
export const pin = (client: string, option: string): Selection => ({ date: DATE, client, option });

/** Refreshes options as the page does; `edit` changes the body before it is sent. */
export async function refresh(
  who: SignedIn,
  { data, metadata }: Pick<ProposalReply, 'data' | 'metadata'>,
  refreshSelections: readonly Selection[],
  edit: object = {},
): Promise<LightMyRequestResponse> {
  const sent = { output: { possible_solutions: data }, metadata, refreshSelections, message: '' };
  return who.call({ method: 'POST', url: '/api/refresher', payload: { ...sent, ...edit } });
}

/** The options from a refresh, in the format of a reply to saving absences. */
export const asProposal = ({ output, metadata, backed_up_therapists }: RefreshReply): ProposalReply => ({
  data: output.possible_solutions,
  metadata,
  backed_up_therapists,
});

export async function submit(
  who: SignedIn,
  body: unknown,
  headers: Record<string, string> = { accept: 'application/json' },
): Promise<LightMyRequestResponse> {
  return who.call({ method: 'POST', url: '/api/actions', payload: body as object, headers });
}

export async function undo(who: SignedIn, commit: string): Promise<LightMyRequestResponse> {
  return who.call({ method: 'POST', url: `/api/commits/${commit}/undo` });
}

/** The `detail` of a refusal that lists conflicts. */
export const detailOf = (reply: LightMyRequestResponse) =>
  reply.json<{ detail: { message: string; conflicts: Record<string, string>[] } }>().detail;

/** A location's day, loaded as the calendar loads it. */
export async function slotsOf(who: SignedIn, date: string, location = 'altamonte'): Promise<SlotsReply> {
  const reply = await who.call({ url: `/api/slots?date=${date}&location=${encodeURIComponent(location)}` });
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json<SlotsReply>();
}

/** The appointment with this Id; throws unless exactly one appointment has it. */
export function appointmentOf(day: SlotsReply, id: string): WireAppointment {
  const found = day.appointments.filter((appointment) => appointment.Id === id);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} appointments ${id}`);
  return found[0];
}

/** The reasons for a client's first cell in Option 1. */
export async function explainFirst(
  who: SignedIn,
  { data, metadata }: ProposalReply,
  date: string,
  client: string,
): Promise<Explanation> {
  const option = 'Option 1';
  const [time_slot] = Object.keys(data[date]?.[client]?.[option] ?? {});
  const { proposal, revision } = metadata;
  const payload = { proposal, revision, date, client, option, time_slot };
  const reply = await who.call({ method: 'POST', url: '/api/proposals/explain', payload });
  if (reply.statusCode !== 200) throw new Error(`no reasons for ${client}: ${reply.body}`);
  return reply.json<Explanation>();
}
