import type { FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { LONGEST_TAG, ledgersEndpoints, type Payer } from '@clinic/contract';
import { PAYER_CREDENTIALS } from '@clinic/domain';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { findCover } from '../../../shared/unfit/find-cover.ts';
import { UnfitSessionsAlert } from '../../../shared/unfit/unfit-sessions.tsx';
import { CodePairs } from './code-pairs.tsx';
import { OfPayer } from './of-payer.tsx';
import { CREDENTIAL_WORDS, PAYER_LABELS, payerSentences } from '../payers.ts';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { usePayerSaving } from './use-payer-saving.ts';
import css from './ledger.module.css';

/**
 * Says in sentences what each payer requires, and which codes it pays for at the same time. Administrators can change
 * these rules.
 */
export function Payers({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(queryOf(queryKeys.payers, ledgersEndpoints.payers, {}));
  if (!query.data) return <LoadFailure what="the payers" query={query} />;
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
  const { form, edit, said, busy, unfit, stale, ask, saveAnyway, keep, leave } = usePayerSaving(payer);
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
            label={<OfPayer name={payer.name} label={PAYER_LABELS.credential} />}
            value={form.credential ?? ''}
            onChange={({ target }) =>
              edit({ credential: PAYER_CREDENTIALS.find((each) => each === target.value) ?? null })
            }
          >
            <option value="">Any</option>
            <Options of={PAYER_CREDENTIALS.map((each) => [each, CREDENTIAL_WORDS[each]])} />
          </Select>
          <Input
            label={<OfPayer name={payer.name} label={PAYER_LABELS.tag} />}
            value={form.tag}
            maxLength={LONGEST_TAG}
            onChange={({ target }) => edit({ tag: target.value })}
          />
          <CodePairs
            payer={payer.name}
            pairs={form.concurrent}
            onChange={(pairs) => edit({ concurrent: pairs && [...pairs] })}
          />
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
          onSave={() => void saveAnyway(false)}
          onCover={() => void saveAnyway(true).then((saved) => saved && leave(() => findCover(unfit)))}
        />
      ) : null}
      {stale ? <StaleAlert name={`what ${payer.name} requires`} {...stale} /> : null}
    </>
  );
}
