import { useState } from 'react';
import { ledgersEndpoints, type Payer, type PayerBody, type UnfitSessions } from '@clinic/contract';
import { call, SaidError } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
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
  const [said, say] = useState('');
  const [busy, setBusy] = useState(false);
  const edits = useVersioned(storedAs(payer), {
    labels: PAYER_LABELS,
    key: `payer:${payer.name}`,
    about: `Your changes to what ${payer.name} requires are not saved yet.`,
    saving: busy,
  });
  const { form, version, stale } = edits;
  /** A save that is waiting for the administrator's decision about sessions that would no longer fit. */
  const [held, setHeld] = useState<{ unfit: UnfitSessions; wanted: Versioned<PayerForm> } | null>(null);

  const now = async (reply: Promise<Payer[]>): Promise<Payer> => {
    const payers = await showReply(queryKeys.payers, reply);
    const found = payers.find(({ name }) => name === payer.name);
    if (!found) throw new SaidError(`${payer.name} is no longer listed. Load the page again.`);
    return found;
  };
  const sending = async (work: () => Promise<string>): Promise<boolean> => {
    say('');
    setHeld(null);
    setBusy(true);
    try {
      say(await work());
      return true;
    } catch (error) {
      const newest = async () => storedAs(await now(call(ledgersEndpoints.payers, {})));
      const again = (theirs: Versioned<PayerForm>, merged: PayerForm): void => void ask({ ...theirs, form: merged });
      if (!(await edits.refused(error, newest, again))) say(failureWords(error, 'the payer'));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const store = async (wanted: Versioned<PayerForm>, query: { sessions?: 'unassign' }): Promise<string> => {
    const body = bodyOf(payer.name, wanted);
    edits.saved(wanted.form, storedAs(await now(call(ledgersEndpoints.savePayer, { query, body }))));
    return 'Saved.';
  };
  const ask = (wanted: Versioned<PayerForm>): Promise<boolean> =>
    sending(async () => {
      const unfit = await call(ledgersEndpoints.checkPayer, { body: bodyOf(payer.name, wanted) });
      if (unfit.total === 0) return store(wanted, {});
      setHeld({ unfit, wanted });
      return '';
    });
  return {
    form,
    said,
    busy,
    unfit: held?.unfit ?? null,
    stale,
    edit: (changes: Partial<PayerForm>): void => {
      say('');
      edits.edit(changes);
    },
    ask: () => ask({ version, form }),
    save: (unassign: boolean) =>
      sending(() => (held ? store(held.wanted, unassign ? { sessions: 'unassign' } : {}) : Promise.resolve(''))),
    keep: () => setHeld(null),
    leave: edits.leave,
  };
}
