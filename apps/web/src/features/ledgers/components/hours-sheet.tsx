import { ledgersEndpoints, type HoursReply, type HoursRow, type Rules, type ShownRules } from '@clinic/contract';
import { duration, formatTime, mapValues, parseHours, type IsoDate } from '@clinic/domain';
import type { FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { amount } from '../../../shared/amount.ts';
import { behindHours } from '../api/use-ledgers.ts';
import { daysWords, FIGURE_WORDS, overtimeOf, sessionsOf } from '../model.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryClient, queryKeys, showReply } from '../../../shared/api/query-client.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { useVersioned, type Versioned } from '../../../shared/edits/use-versioned.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { Input } from '../../../shared/ui/field.tsx';
import css from './ledger.module.css';

const isBelow = ({ booked, guaranteed }: HoursRow): boolean => guaranteed !== null && booked < guaranteed;

const COLUMNS: readonly Column<HoursRow>[] = [
  { label: 'Maximum', cell: ({ most }) => duration(most) },
  {
    label: 'Guaranteed',
    cell: (row) =>
      row.guaranteed === null ? amount(0) : `${duration(row.guaranteed)}${isBelow(row) ? ', not reached' : ''}`,
    strong: isBelow,
  },
  { label: 'Left', cell: ({ left }) => amount(left) },
  {
    label: 'Overtime ahead',
    cell: (row) => amount(overtimeOf(row)),
    strong: (row) => overtimeOf(row) > 0,
  },
];

/** Each therapist's hours, and the rules that are off because data is missing. */
export const HoursSheet = ({
  reply,
  date,
  now,
  isAdmin,
}: {
  reply: HoursReply;
  date: IsoDate;
  now: { readonly date: IsoDate; readonly minutes: number };
  isAdmin: boolean;
}) => (
  <LedgerSheet
    title="Hours"
    caption="Hours by therapist"
    who="Therapist"
    note={({ credential }) => credential}
    about={`${daysWords(reply)}. Cover is counted up to the chosen date.`}
    off={reply.off}
    words={FIGURE_WORDS}
    columns={COLUMNS}
    rows={reply.rows}
    empty={{ title: 'No therapists', text: 'No therapist works at this location on this date.' }}
    behind={({ id }) => behindHours(id, date)}
    show={(sessions, _, figure) =>
      sessionsOf(sessions, figure, date, { date: now.date, time: formatTime(now.minutes) }).map((session) => ({
        ...session,
        words: `${session.client ?? session.subject}${session.cover ? ', as cover' : ''}`,
      }))
    }
  >
    {isAdmin ? (
      <details className={css.change}>
        <summary>Change the limits</summary>
        <RulesForm />
      </details>
    ) : null}
  </LedgerSheet>
);

const LABELS: Readonly<Record<keyof Rules, string>> = {
  week_hours: 'Maximum hours a week',
  new_here_days: 'Days a therapist counts as new',
  supervision_percent: 'Supervision a month (percent)',
  supervision_contacts: 'Supervision a month (contacts)',
};
const FIELDS = ['week_hours', 'new_here_days', 'supervision_percent', 'supervision_contacts'] as const;

const WHOLE_NUMBER = { inputMode: 'numeric', pattern: '\\d+', title: 'A whole number' } as const;
const HOURS = {
  inputMode: 'decimal',
  pattern: '\\d{1,2}([.,](0|00|25|5|50|75))?',
  title: 'Hours, in quarters such as 37.5',
} as const;

/** The form for the clinic's own limits, which administrators can change. */
function RulesForm() {
  const query = useQuery(queryOf(queryKeys.rules, ledgersEndpoints.rules, {}));
  return query.data ? <Fields rules={query.data} /> : <LoadFailure what="the limits" query={query} />;
}

type Typed = Record<keyof Rules, string>;

const storedAs = ({ version, ...rules }: ShownRules): Versioned<Typed> => ({
  version,
  form: mapValues(rules, String),
});

const bodyOf = ({ version, form }: Versioned<Typed>) => ({
  week_hours: parseHours(form.week_hours, 0, 99) ?? 0,
  new_here_days: Number(form.new_here_days),
  supervision_percent: Number(form.supervision_percent),
  supervision_contacts: Number(form.supervision_contacts),
  version,
});

function Fields({ rules }: { rules: ShownRules }) {
  const now = async (reply: Promise<ShownRules>): Promise<Versioned<Typed>> => {
    const stored = await showReply(queryKeys.rules, reply);
    for (const ledger of ['hours', 'supervision']) void queryClient.invalidateQueries({ queryKey: [ledger] });
    return storedAs(stored);
  };
  const { form, edit, said, save, stale } = useVersioned(storedAs(rules), {
    labels: LABELS,
    key: 'limits',
    about: 'Your changes to the limits are not saved yet.',
    look: 'the limits',
    newest: () => now(call(ledgersEndpoints.rules, {})),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save((wanted) => now(call(ledgersEndpoints.saveRules, { body: bodyOf(wanted) })));
  };
  return (
    <>
      <form className={css.rules} aria-label="The clinic’s limits" onSubmit={submit}>
        {FIELDS.map((field) => (
          <Input
            key={field}
            label={LABELS[field]}
            {...(field === 'week_hours' ? HOURS : WHOLE_NUMBER)}
            // An empty field would be saved as 0, which switches the rule off.
            required
            value={form[field]}
            onChange={(event) => edit({ [field]: event.target.value })}
          />
        ))}
        <Button type="submit">Save limits</Button>
        <span role="status">{said}</span>
      </form>
      {stale ? <StaleAlert name="the limits" {...stale} /> : null}
    </>
  );
}
