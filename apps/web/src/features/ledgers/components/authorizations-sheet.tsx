import {
  LONGEST_TAG,
  ledgersEndpoints,
  type AuthorizationRow,
  type AuthorizationsReply,
  type Payer,
  type PayerBody,
  type UnfitSessions,
} from '@clinic/contract';
import { duration, isoDate, shortDate, PAYER_CREDENTIALS, type IsoDate } from '@clinic/domain';
import { useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { amount } from '../../../shared/amount.ts';
import { PERIOD_WORDS } from '../../../shared/period-words.ts';
import { behindAuthorizations } from '../api/use-ledgers.ts';
import { AUTHORIZATION_WORDS, usingSessions } from '../authorizations.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryKeys, showReply } from '../../../shared/api/query-client.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { findCover } from '../../../shared/unfit/find-cover.ts';
import { UnfitSessionsAlert } from '../../../shared/unfit/unfit-sessions.tsx';
import { CodePairs } from './code-pairs.tsx';
import { OfPayer } from './of-payer.tsx';
import { CREDENTIAL_WORDS, PAYER_LABELS, payerSentences } from '../payers.ts';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { call, SaidError } from '../../../shared/api/client.ts';
import { useVersioned, type Versioned } from '../../../shared/edits/use-versioned.ts';
import css from './ledger.module.css';

const COLUMNS: readonly Column<AuthorizationRow>[] = [
  { label: 'Authorized', cell: ({ authorized, period }) => `${duration(authorized)} ${PERIOD_WORDS[period]}` },
  {
    label: 'Left',
    cell: ({ left }) => amount(left),
    strong: ({ left, authorized }) => left * 10 < authorized,
  },
  { label: 'Number', words: true, cell: ({ number }) => number },
  {
    label: 'Until',
    words: true,
    cell: ({ until_date }) => `${shortDate(isoDate(until_date))}, ${until_date.slice(0, 4)}`,
  },
];

const priorWords = (prior: AuthorizationRow['prior']): string =>
  prior ? `, ${duration(prior.used)} used through ${shortDate(isoDate(prior.until))}` : '';

/** The authorizations valid on the date, and the clients who have none. */
export const AuthorizationsSheet = ({
  reply,
  date,
  isAdmin,
}: {
  reply: AuthorizationsReply;
  date: IsoDate;
  isAdmin: boolean;
}) => (
  <LedgerSheet
    title="Authorizations"
    caption="Valid authorizations by client"
    who="Client"
    note={({ payer, code, prior }) => `${code}, ${payer}${priorWords(prior)}`}
    about={`Used: units used in the current period before ${shortDate(date)}. A unit is 15 minutes and counts from its eighth minute. Of several authorizations for one code, the one that ends first is used up first.`}
    off={reply.off}
    words={AUTHORIZATION_WORDS}
    columns={COLUMNS}
    rows={reply.rows}
    empty={{ title: 'No authorizations', text: 'No client here has an authorization that is valid on this date.' }}
    of={({ code }) => code}
    behind={({ client_id }) => behindAuthorizations(client_id, date)}
    show={(sessions, { id }) => usingSessions(sessions, id)}
  >
    {reply.lapsed.length > 0 ? <p>{`There is no valid authorization for ${reply.lapsed.join(', ')}.`}</p> : null}
    <Payers isAdmin={isAdmin} />
  </LedgerSheet>
);

/**
 * Says in sentences what each payer requires, and which codes it pays for at the same time. Administrators can change
 * these rules.
 */
function Payers({ isAdmin }: { isAdmin: boolean }) {
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
            <PayerFields key={payer.name} payer={payer} />
          ))}
        </details>
      ) : null}
    </>
  );
}

function PayerFields({ payer }: { payer: Payer }) {
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

/** What an administrator edits about a payer. */
type PayerForm = Required<Pick<Payer, 'credential' | 'concurrent'>> & { readonly tag: string };

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
function usePayerSaving(payer: Payer) {
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
