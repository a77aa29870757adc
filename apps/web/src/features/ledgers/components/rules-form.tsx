import { useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type Rules } from '@clinic/contract';
import { call } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import css from './ledger.module.css';

const LABELS: Readonly<Record<keyof Rules, string>> = {
  week_hours: 'Maximum hours a week',
  new_here_days: 'Days a therapist counts as new',
  supervision_percent: 'Supervision, percent',
  supervision_contacts: 'Supervision, contacts',
};
const FIELDS = ['week_hours', 'new_here_days', 'supervision_percent', 'supervision_contacts'] as const;

/** The form for the clinic's own limits, which administrators can change. */
export function RulesForm() {
  const query = useQuery({
    queryKey: queryKeys.rules,
    queryFn: ({ signal }) => call(ledgersEndpoints.rules, { signal }),
  });
  return query.data ? <Fields rules={query.data} /> : null;
}

function Fields({ rules }: { rules: Rules }) {
  const [typed, setTyped] = useState(() => Object.fromEntries(FIELDS.map((field) => [field, String(rules[field])])));
  const [said, say] = useState('');
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    say('');
    try {
      const number = (field: keyof Rules): number => Number(typed[field]);
      const body = {
        week_hours: number('week_hours'),
        new_here_days: number('new_here_days'),
        supervision_percent: number('supervision_percent'),
        supervision_contacts: number('supervision_contacts'),
      };
      queryClient.setQueryData(queryKeys.rules, await call(ledgersEndpoints.saveRules, { body }));
      for (const ledger of ['hours', 'supervision']) void queryClient.invalidateQueries({ queryKey: [ledger] });
      say('Saved.');
    } catch (error) {
      say(failureWords(error, 'the limits'));
    }
  };
  return (
    <form className={css.rules} aria-label="The clinic’s limits" onSubmit={(event) => void save(event)}>
      {FIELDS.map((field) => (
        <Input
          key={field}
          label={LABELS[field]}
          inputMode="numeric"
          value={typed[field]}
          onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
        />
      ))}
      <Button type="submit">Save limits</Button>
      <span role="status">{said}</span>
    </form>
  );
}
