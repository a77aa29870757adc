import { useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { LONGEST_TAG, ledgersEndpoints, type Payer, type PayerBody, type UnfitSessions } from '@clinic/contract';
import { PAYER_CREDENTIALS } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { findCover } from '../../../shared/unfit/find-cover.ts';
import { UnfitSessionsAlert } from '../../../shared/unfit/unfit-sessions.tsx';
import { CodePairs } from './code-pairs.tsx';
import { OfPayer } from './of-payer.tsx';
import { CREDENTIAL_WORDS, payerSentences } from '../payers.ts';
import css from './ledger.module.css';

/** Each payer's requirements, and the codes it pays for at the same time, in sentences. Administrators can change them. */
export function Payers({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery({
    queryKey: queryKeys.payers,
    queryFn: ({ signal }) => call(ledgersEndpoints.payers, { signal }),
  });
  if (!query.data) return null;
  return (
    <>
      {payerSentences(query.data).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {isAdmin && query.data.length > 0 ? (
        <details className={css.change}>
          <summary>Change what payers require</summary>
          {query.data.map((payer) => (
            <PayerForm key={payer.name} payer={payer} />
          ))}
        </details>
      ) : null}
    </>
  );
}

function PayerForm({ payer }: { payer: Payer }) {
  const [credential, setCredential] = useState(payer.credential);
  const [tag, setTag] = useState(payer.tag ?? '');
  const [pairs, setPairs] = useState<readonly string[] | null>(payer.concurrent);
  const { said, busy, unfit, ask, save, keep } = useSaving(() => ({
    name: payer.name,
    credential,
    tag: tag.trim() || null,
    concurrent: pairs && [...pairs],
  }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void ask();
  };
  return (
    <>
      <form className={css.payer} aria-label={`What ${payer.name} requires`} onSubmit={submit}>
        <h3>{payer.name}</h3>
        <div className={css.payerFields}>
          <Select
            label={<OfPayer name={payer.name} label="Credential" />}
            value={credential ?? ''}
            onChange={({ target }) => setCredential(PAYER_CREDENTIALS.find((each) => each === target.value) ?? null)}
          >
            <option value="">Any</option>
            {PAYER_CREDENTIALS.map((each) => (
              <option key={each} value={each}>
                {CREDENTIAL_WORDS[each]}
              </option>
            ))}
          </Select>
          <Input
            label={<OfPayer name={payer.name} label="Skill or enrollment" />}
            value={tag}
            maxLength={LONGEST_TAG}
            onChange={({ target }) => setTag(target.value)}
          />
          <CodePairs payer={payer.name} pairs={pairs} onChange={setPairs} />
          <Button type="submit" unavailable={busy}>
            Save<span className="sr"> {payer.name}</span>
          </Button>
          <span role="status">{said}</span>
        </div>
      </form>
      {unfit ? (
        <UnfitSessionsAlert
          unfit={unfit}
          who="both"
          onKeep={keep}
          onSave={() => void save(false)}
          onCover={() => void save(true).then((saved) => saved && findCover(unfit))}
        />
      ) : null}
    </>
  );
}

/** Saves a payer, after asking about the future sessions that the payer would no longer pay for. */
function useSaving(bodyOf: () => PayerBody) {
  const [said, say] = useState('');
  const [busy, setBusy] = useState(false);
  const [unfit, setUnfit] = useState<UnfitSessions | null>(null);
  const sending = async (work: () => Promise<string>): Promise<boolean> => {
    say('');
    setBusy(true);
    try {
      say(await work());
      return true;
    } catch (error) {
      say(failureWords(error, 'the payer'));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const store = async (query: { sessions?: 'unassign' }): Promise<string> => {
    queryClient.setQueryData(queryKeys.payers, await call(ledgersEndpoints.savePayer, { query, body: bodyOf() }));
    return 'Saved.';
  };
  return {
    said,
    busy,
    /** The future sessions that would no longer fit; set while the save waits for an answer. */
    unfit,
    ask: () =>
      sending(async () => {
        const found = await call(ledgersEndpoints.checkPayer, { body: bodyOf() });
        if (found.total === 0) return store({});
        setUnfit(found);
        return '';
      }),
    save: (unassign: boolean) => {
      setUnfit(null);
      return sending(() => store(unassign ? { sessions: 'unassign' } : {}));
    },
    keep: () => setUnfit(null),
  };
}
