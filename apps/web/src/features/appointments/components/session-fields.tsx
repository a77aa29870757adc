import { useId } from 'react';
import { UNASSIGNED } from '@clinic/contract';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { Input, Select } from '../../../shared/ui/field.tsx';
import { STATUSES, SUBJECTS, type Problems, type SessionForm } from '../model.ts';
import css from '../session-dialog.module.css';

const withOwn = (names: readonly string[], own: string): readonly string[] =>
  own === '' || names.includes(own) ? names : [own, ...names];

/** The fields of a session: who, when and what. A new session can repeat weekly. */
export function SessionFields({
  isNew,
  form,
  problems,
  therapists,
  clients,
  onChange: set,
}: {
  isNew: boolean;
  form: SessionForm;
  problems: Problems;
  therapists: readonly string[];
  clients: readonly string[];
  onChange: (part: Partial<SessionForm>) => void;
}) {
  const id = useId();
  return (
    <>
      <div className={css.half}>
        <Select
          label={LABELS.client}
          value={form.client}
          error={problems.client}
          data-autofocus={isNew ? '' : undefined}
          onChange={(event) => set({ client: event.target.value })}
        >
          <option value="">Choose a client</option>
          {withOwn(clients, form.client).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </div>
      <div className={css.half}>
        <Select
          label={LABELS.therapist}
          value={form.therapist}
          data-autofocus={isNew ? undefined : ''}
          onChange={(event) => set({ therapist: event.target.value })}
        >
          <option>{UNASSIGNED}</option>
          {withOwn(therapists, form.therapist === UNASSIGNED ? '' : form.therapist).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </div>
      <div className={css.third}>
        <Input
          label={LABELS.date}
          type="date"
          value={form.date}
          error={problems.date}
          onChange={(event) => set({ date: event.target.value })}
        />
      </div>
      <div className={css.third}>
        <Input
          label={LABELS.start}
          type="time"
          step={900}
          value={form.start}
          error={problems.start}
          onChange={(event) => set({ start: event.target.value })}
        />
      </div>
      <div className={css.third}>
        <Input
          label={LABELS.end}
          type="time"
          step={900}
          value={form.end}
          error={problems.end}
          onChange={(event) => set({ end: event.target.value })}
        />
      </div>
      <div className={css.half}>
        <Input
          label={LABELS.subject}
          list={`${id}-subjects`}
          value={form.subject}
          error={problems.subject}
          onChange={(event) => set({ subject: event.target.value })}
        />
        <datalist id={`${id}-subjects`}>
          {SUBJECTS.map((subject) => (
            <option key={subject} value={subject} />
          ))}
        </datalist>
      </div>
      <div className={css.half}>
        {!isNew ? (
          <Select
            label={LABELS.status}
            value={form.status}
            onChange={(event) => set({ status: STATUSES.find((s) => s === event.target.value) ?? 'Scheduled' })}
          >
            {STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </Select>
        ) : (
          <Input
            label={`${LABELS.weekly_until} (leave empty for one session)`}
            type="date"
            min={form.date}
            value={form.weeklyUntil}
            error={problems.weeklyUntil}
            onChange={(event) => set({ weeklyUntil: event.target.value })}
          />
        )}
      </div>
    </>
  );
}
