import { duration, weekdayName } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Checkbox, Options, Select } from '../../../shared/ui/field.tsx';
import { PlainInput } from '../../../shared/ui/plain-field.tsx';
import { SUBJECTS, type WishForm } from '../model.ts';
import css from '../find-a-time.module.css';

interface Fields {
  form: WishForm;
  onChange: (changed: Partial<WishForm>) => void;
}

/** What is wanted: how much, when the family can come, and with whom. */
export function WishFields({ form, clients, onChange: set }: Fields & { clients: readonly string[] }) {
  return (
    <section className={css.wish} aria-label="What is wanted">
      <h2>What is wanted</h2>
      <Select label="Client" value={form.client} onChange={(event) => set({ client: event.target.value })}>
        <option value="">Choose a client</option>
        {clients.includes(form.client) || form.client === '' ? null : <option>{form.client}</option>}
        <Options of={clients.map((name) => [name, name])} />
      </Select>
      <div className={css.two}>
        <Step
          label="Sessions a week"
          value={form.sessions}
          least={1}
          most={7}
          onChange={(sessions) => set({ sessions })}
        />
        <Step
          label="Each"
          value={form.minutes}
          least={30}
          most={360}
          by={30}
          words={duration}
          onChange={(minutes) => set({ minutes })}
        />
        <DateField label="From" value={form.from} onDate={(from) => set({ from })} />
        <DateField
          label="Until (empty: no end)"
          min={form.from}
          value={form.until}
          onDate={(until) => set({ until })}
        />
        <Step
          label="At most"
          value={form.people}
          least={1}
          most={3}
          words={(n) => (n === 1 ? '1 person' : `${n} people`)}
          onChange={(people) => set({ people })}
        />
        <Select
          label="Service"
          value={form.service}
          onChange={({ target: { value } }) => {
            if (value === 'direct' || value === 'supervision' || value === 'parent-training') set({ service: value });
          }}
        >
          <Options of={Object.entries(SUBJECTS)} />
        </Select>
      </div>
      <Windows form={form} onChange={set} />
      <Select
        label="With whom"
        value={form.who}
        onChange={(event) => set({ who: event.target.value === 'known' ? 'known' : 'anyone' })}
      >
        <option value="anyone">Whoever may, few faces first</option>
        <option value="known">Only people the child knows</option>
      </Select>
      <Removable label="Only" values={form.only} onChange={(only) => set({ only })} />
      <Removable label="Without" values={form.except} onChange={(except) => set({ except })} />
    </section>
  );
}

function Windows({ form, onChange: set }: Fields) {
  const change = (weekday: number, changed: Partial<WishForm['windows'][number]>): void =>
    set({ windows: form.windows.map((day) => (day.weekday === weekday ? { ...day, ...changed } : day)) });
  return (
    <fieldset className={css.windows}>
      <legend>When the family can come</legend>
      {form.windows.map(({ weekday, on, start, end }) => {
        const name = weekdayName(weekday);
        return (
          <div key={weekday}>
            <label>
              <Checkbox aria-label={name} checked={on} onChange={() => change(weekday, { on: !on })} />
              <span>{name.slice(0, 3)}</span>
            </label>
            {on ? (
              <>
                <PlainInput
                  type="time"
                  step={1800}
                  aria-label={`From, ${name}`}
                  value={start}
                  onChange={(event) => change(weekday, { start: event.target.value })}
                />
                <PlainInput
                  type="time"
                  step={1800}
                  aria-label={`To, ${name}`}
                  value={end}
                  onChange={(event) => change(weekday, { end: event.target.value })}
                />
              </>
            ) : (
              <span className="small muted">not</span>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

/** A number with a button on either side. */
function Step({
  label,
  value,
  least,
  most,
  by = 1,
  words = String,
  onChange,
}: {
  label: string;
  value: number;
  least: number;
  most: number;
  by?: number;
  words?: (value: number) => string;
  onChange: (value: number) => void;
}) {
  return (
    <div role="group" aria-label={label}>
      <span className={css.label}>{label}</span>
      <div className={css.step}>
        <Button icon aria-label={`Less: ${label}`} unavailable={value <= least} onClick={() => onChange(value - by)}>
          −
        </Button>
        <output>{words(value)}</output>
        <Button icon aria-label={`More: ${label}`} unavailable={value >= most} onClick={() => onChange(value + by)}>
          +
        </Button>
      </div>
    </div>
  );
}

/** A condition that came from another page or from a change; it can be taken out. */
function Removable({
  label,
  values,
  onChange,
}: {
  label: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
}) {
  if (values.length === 0) return null;
  return (
    <p className="small">
      {label} {values.join(', ')}{' '}
      <Button variant="link" onClick={() => onChange([])}>
        Take out
      </Button>
    </p>
  );
}
