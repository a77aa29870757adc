import type { ProposalReply } from '@clinic/contract';
import { mapValues } from '@clinic/domain';

type ByDateAndClient<T> = Record<string, Record<string, T>>;

/** Chooses the same option for every client in the reply, by date. */
export const everyone = ({ data }: Pick<ProposalReply, 'data'>, option = 'Option 1'): ByDateAndClient<string> =>
  mapValues(data, (clients) => mapValues(clients, () => option));

/** The body that the page sends to commit these options, by default Option 1 for every client. */
export function submitBody(reply: ProposalReply, selectedOptions = everyone(reply)) {
  const { data, metadata, backed_up_therapists } = reply;
  const branch = `${metadata.proposal}.${metadata.revision}`;
  return {
    selectedOptions,
    selectedOptionsFullData: mapValues(selectedOptions, (clients, date) =>
      mapValues(clients, (optionName, clientName) => ({
        optionName,
        clientName,
        branch_state: `${branch}.${optionName.replace('Option ', '')}`,
        timeSlots: data[date]?.[clientName]?.[optionName] ?? {},
      })),
    ),
    solutions: data,
    metadata,
    backed_up_therapists,
  };
}
