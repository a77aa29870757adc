import { useState, type ReactNode } from 'react';
import { BILLING_CODES, codePair, type BillingCode } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { Options, Select } from '../../../shared/ui/field.tsx';
import { PAYER_LABELS, pairWords } from '../payers.ts';
import { OfPayer } from './of-payer.tsx';
import css from './ledger.module.css';

type Pairs = readonly string[] | null;

/** A field for the pairs of billing codes that a payer pays for at the same time; `pairs` is null if not recorded. */
export function CodePairs({
  payer,
  pairs,
  onChange,
}: {
  payer: string;
  pairs: Pairs;
  onChange: (next: Pairs) => void;
}) {
  return (
    <>
      <Select
        label={<OfPayer name={payer} label={PAYER_LABELS.concurrent} />}
        value={pairs ? 'said' : ''}
        onChange={({ target }) => onChange(target.value === '' ? null : [])}
      >
        <option value="">Not recorded</option>
        <option value="said">Only these pairs</option>
      </Select>
      {pairs ? (
        <>
          <ul className={css.pairs}>
            {pairs.length === 0 ? <li className="muted">none</li> : null}
            {pairs.map((pair) => (
              <li key={pair}>
                <Button variant="link" onClick={() => onChange(pairs.filter((each) => each !== pair))}>
                  {pairWords(pair)}
                  <span aria-hidden="true"> ×</span>
                  <span className="sr">: remove</span>
                </Button>
              </li>
            ))}
          </ul>
          <AddPair payer={payer} onAdd={(pair) => onChange([...new Set([...pairs, pair])].sort())} />
        </>
      ) : null}
    </>
  );
}

function AddPair({ payer, onAdd }: { payer: string; onAdd: (pair: string) => void }) {
  const [one, setOne] = useState<BillingCode>('97153');
  const [other, setOther] = useState<BillingCode>('97155');
  return (
    <>
      <CodeSelect label={<OfPayer name={payer} label="Code" />} value={one} onChange={setOne} />
      <CodeSelect label={<OfPayer name={payer} label="With code" />} value={other} onChange={setOther} />
      <Button onClick={() => onAdd(codePair(one, other))}>
        Add<span className="sr"> the pair of codes for {payer}</span>
      </Button>
    </>
  );
}

function CodeSelect({
  label,
  value,
  onChange,
}: {
  label: ReactNode;
  value: BillingCode;
  onChange: (next: BillingCode) => void;
}) {
  return (
    <Select
      label={label}
      value={value}
      onChange={({ target }) => onChange(BILLING_CODES.find((code) => code === target.value) ?? value)}
    >
      <Options of={BILLING_CODES.map((code) => [code, code])} />
    </Select>
  );
}
