import type { ProposalReply } from '@clinic/contract';
import type { LightMyRequestResponse } from 'fastify';
import type { SignedIn } from '../../db/testing/test-app.ts';

type Query = {
  therapist?: string;
  client?: string;
  begin?: string;
  end?: string;
  date: string;
  location?: string;
  replaces?: boolean;
};

/** Saves absences as the page does. */
export async function saveAbsences(
  who: SignedIn,
  queries: readonly Query[],
  location = 'altamonte',
): Promise<LightMyRequestResponse> {
  return who.call({
    method: 'POST',
    url: '/api/api/scheduler/process',
    payload: {
      date: queries[0]?.date,
      location,
      queries: queries.map(({ therapist, client, ...q }) => ({
        begin: '00:00',
        end: '23:59',
        location,
        replaces: true,
        ...q,
        ...(therapist === undefined ? { type: 'client_cancel', client } : { type: 'therapist_cancel', therapist }),
      })),
    },
  });
}

/** What the page sends for chosen options, date by date and client by client. */
export function submitBody(reply: ProposalReply, selectedOptions: Record<string, Record<string, string>>) {
  const full = Object.entries(selectedOptions).map(([date, clients]) => [
    date,
    Object.fromEntries(
      Object.entries(clients).map(([client, option]) => {
        const timeSlots = reply.data[date]?.[client]?.[option] ?? {};
        const number = option.replace('Option ', '');
        const branch_state = `${reply.metadata.proposal}.${reply.metadata.revision}.${number}`;
        return [client, { optionName: option, clientName: client, branch_state, timeSlots }];
      }),
    ),
  ]);
  return {
    selectedOptions,
    selectedOptionsFullData: Object.fromEntries(full) as Record<
      string,
      Record<string, { timeSlots: Record<string, unknown> }>
    >,
    solutions: reply.data,
    metadata: reply.metadata,
    backed_up_therapists: reply.backed_up_therapists,
  };
}

/** Every listed client's `option`. */
export function everyone(reply: ProposalReply, option = 'Option 1'): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(reply.data).map(([date, clients]) => [
      date,
      Object.fromEntries(Object.keys(clients).map((client) => [client, option])),
    ]),
  );
}

export async function submit(
  who: SignedIn,
  body: unknown,
  headers: Record<string, string> = { accept: 'application/json' },
): Promise<LightMyRequestResponse> {
  return who.call({ method: 'POST', url: '/api/actions', payload: body as object, headers });
}
