import { useId } from 'react';
import { UNASSIGNED } from '@clinic/contract';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { LossFields } from '../../../shared/causes/loss-fields.tsx';
import { STATUSES, SUBJECTS, isLost, type Problems, type SessionForm } from '../model.ts';
import css from '../session-dialog.module.css';

const withOwn = (names: readonly string[], own: string): readonly string[] =>
  own === '' || names.includes(own) ? names : [own, ...names];

interface FieldsProps {
  isNew: boolean;
  form: SessionForm;
  problems: Problems;
  onChange: (changed: Partial<SessionForm>) => void;
}

interface People {
  therapists: readonly string[];
  clients: readonly string[];
}

/** The session form's fields. A new session can repeat weekly. */
export function SessionFields({ therapists, clients, ...fields }: FieldsProps & People) {
  return (
    <>
      <WhoFields {...fields} therapists={therapists} clients={clients} />
      <WhenFields {...fields} />
      <WhatFields {...fields} />
      {!fields.isNew && isLost(fields.form) ? (
        <LossFields
          value={fields.form.loss}
          side="family"
          name={fields.form.client}
          onChange={(loss) => fields.onChange({ loss })}
        />
      ) : null}
    </>
  );
}

function WhoFields({ isNew, form, problems, therapists, clients, onChange: set }: FieldsProps & People) {
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
          <Options of={withOwn(clients, form.client).map((name) => [name, name])} />
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
          <Options
            of={withOwn(therapists, form.therapist === UNASSIGNED ? '' : form.therapist).map((name) => [name, name])}
          />
        </Select>
      </div>
    </>
  );
}

function WhenFields({ form, problems, onChange: set }: FieldsProps) {
  const time = (name: 'start' | 'end') => (
    <div className={css.third}>
      <Input
        label={LABELS[name]}
        type="time"
        step={900}
        value={form[name]}
        error={problems[name]}
        onChange={(event) => set({ [name]: event.target.value })}
      />
    </div>
  );
  return (
    <>
      <div className={css.third}>
        <DateField label={LABELS.date} value={form.date} error={problems.date} onDate={(date) => set({ date })} />
      </div>
      {time('start')}
      {time('end')}
    </>
  );
}

function WhatFields({ isNew, form, problems, onChange: set }: FieldsProps) {
  const id = useId();
  return (
    <>
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
        {isNew ? null : (
          <Select
            label={LABELS.status}
            value={form.status}
            onChange={(event) => set({ status: STATUSES.find((s) => s === event.target.value) ?? 'Scheduled' })}
          >
            <Options of={STATUSES.map((status) => [status, status])} />
          </Select>
        )}
      </div>
    </>
  );
}
