import { useState } from 'react';
import { ledgersEndpoints, type Payer, type PayerBody, type UnfitSessions } from '@clinic/contract';
import { call, SaidError } from '../../../shared/api/client.ts';
import { queryKeys, showReply } from '../../../shared/api/query-client.ts';
import { useVersioned, type Versioned } from '../../../shared/edits/use-versioned.ts';
import { PAYER_LABELS } from '../payers.ts';

/** What an administrator edits about a payer. */
export type PayerForm = Required<Pick<Payer, 'credential' | 'concurrent'>> & { readonly tag: string };

const storedAs = ({ credential, tag, concurrent, version }: Payer): Versioned<PayerForm> => ({
  version,
  form: { credential, tag: tag ?? '', concurrent },
});

const bodyOf = (name: string, { version, form: { credential, tag, concurrent } }: Versioned<PayerForm>): PayerBody => ({
  name,
  credential,
  tag: tag.trim() || null,
  concurrent: concurrent && [...concurrent],
  version,
});

/** Edits and saves a payer. Asks first if the payer would no longer pay for the therapists of future sessions. */
export function usePayerSaving(payer: Payer) {
  const now = async (reply: Promise<Payer[]>): Promise<Versioned<PayerForm>> => {
    const payers = await showReply(queryKeys.payers, reply);
    const found = payers.find(({ name }) => name === payer.name);
    if (!found) throw new SaidError(`${payer.name} is no longer listed. Load the page again.`);
    return storedAs(found);
  };
  const { save, ...edits } = useVersioned(storedAs(payer), {
    labels: PAYER_LABELS,
    key: `payer:${payer.name}`,
    about: `Your changes to what ${payer.name} requires are not saved yet.`,
    look: 'the payer',
    newest: () => now(call(ledgersEndpoints.payers, {})),
  });
  /** A save that is waiting for the administrator's decision about sessions that would no longer fit. */
  const [held, setHeld] = useState<{ unfit: UnfitSessions; wanted: Versioned<PayerForm> } | null>(null);
  const store = (wanted: Versioned<PayerForm>, query: { sessions?: 'unassign' } = {}) =>
    now(call(ledgersEndpoints.savePayer, { query, body: bodyOf(payer.name, wanted) }));
  return {
    ...edits,
    unfit: held?.unfit ?? null,
    ask: () =>
      save(async (wanted) => {
        setHeld(null);
        const unfit = await call(ledgersEndpoints.checkPayer, { body: bodyOf(payer.name, wanted) });
        if (unfit.total === 0) return store(wanted);
        setHeld({ unfit, wanted });
        return null;
      }),
    keep: () => setHeld(null),
    saveAnyway: async (unassign: boolean): Promise<boolean> => {
      setHeld(null);
      return held !== null && save((wanted) => store(wanted, unassign ? { sessions: 'unassign' } : {}), held.wanted);
    },
  };
}
