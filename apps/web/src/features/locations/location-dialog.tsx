import { useId } from 'react';
import { LONGEST_LOCATION, type ManagedLocation } from '@clinic/contract';
import { weekdayName } from '@clinic/domain';
import { StaleAlert } from '../../shared/edits/stale-alert.tsx';
import { useVersioned, type Versioned } from '../../shared/edits/use-versioned.ts';
import { fromTimeField, toTimeField } from '../../shared/time-field.ts';
import { FieldError, Input, Options, Select } from '../../shared/ui/field.tsx';
import { FormDialog } from '../../shared/ui/form-dialog.tsx';
import { PlainInput } from '../../shared/ui/plain-field.tsx';
import { reloadLocation, saveLocationOf } from './api.ts';
import { bodyOf, formOf, hoursFault, LABELS, US_ZONES, WEEKDAYS, type DayHours, type LocationForm } from './model.ts';
import css from './locations.module.css';

interface Props {
  /** The location to change; null for a new one. */
  location: ManagedLocation | null;
  list: readonly ManagedLocation[];
  onClose: () => void;
}

/** The dialog that adds or changes a location. */
export function LocationDialog({ location, list, onClose }: Props) {
  const stored = (of: ManagedLocation | null): Versioned<LocationForm> => ({
    version: of?.version ?? '',
    form: formOf(of, list[0]?.zone ?? 'America/New_York'),
  });
  const { form, busy, failure, edit, save, stale, mayClose, leave } = useVersioned(stored(location), {
    labels: LABELS,
    key: `location:${location?.value ?? 'new'}`,
    about: location ? `Your changes to ${location.label} are not saved yet.` : 'The location has not been added yet.',
    look: 'the list',
    newest: async () => {
      const newest = location && (await reloadLocation(location.value));
      return newest ? stored(newest) : null;
    },
  });
  const submit = (close: () => void): Promise<boolean> =>
    save(async ({ version, form: wanted }) => {
      await saveLocationOf(location?.value ?? null, bodyOf(wanted), version);
      leave(close);
      return null;
    });
  const isWhole = form.label.trim() !== '' && form.group.trim() !== '' && !form.hours.some(hoursFault);
  return (
    <FormDialog
      title={location?.label ?? 'New location'}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      failure={failure === null ? null : { text: failure }}
      unavailable={busy || !isWhole}
      onSubmit={(close) => void submit(close)}
      over={location && stale ? <StaleAlert name={location.label} {...stale} /> : null}
    >
      <Input
        label={LABELS.label}
        value={form.label}
        maxLength={LONGEST_LOCATION}
        data-autofocus=""
        onChange={({ target }) => edit({ label: target.value })}
      />
      <Group value={form.group} list={list} onChange={(group) => edit({ group })} />
      <Zone
        value={form.zone}
        isChanged={location !== null && location.zone !== form.zone}
        onChange={(zone) => edit({ zone })}
      />
      <Hours hours={form.hours} onChange={(hours) => edit({ hours })} />
    </FormDialog>
  );
}

function Group({ value, list, onChange }: { value: string; list: Props['list']; onChange: (group: string) => void }) {
  const id = useId();
  const groups = [...new Set(list.map(({ group }) => group))].sort();
  return (
    <>
      <Input
        label={LABELS.group}
        hint="Locations of one group are listed together."
        value={value}
        maxLength={LONGEST_LOCATION}
        list={id}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {groups.map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
    </>
  );
}

function Zone(props: { value: string; isChanged: boolean; onChange: (zone: string) => void }) {
  const others = Intl.supportedValuesOf('timeZone').filter(
    (zone) => zone.includes('/') && !US_ZONES.some(([name]) => name === zone),
  );
  return (
    <Select
      label={LABELS.zone}
      hint={props.isChanged ? 'Sessions keep the times that the clock at this location shows.' : undefined}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    >
      <Options of={US_ZONES} />
      <optgroup label="Other time zones">
        <Options of={others.map((zone) => [zone, zone.replaceAll('_', ' ')])} />
      </optgroup>
    </Select>
  );
}

function Hours({ hours, onChange }: { hours: readonly DayHours[]; onChange: (hours: readonly DayHours[]) => void }) {
  const set = (day: number, change: Partial<DayHours>): void =>
    onChange(hours.map((each, weekday) => (weekday === day ? { ...each, ...change } : each)));
  return (
    <fieldset className={css.hours}>
      <legend>{LABELS.hours} (optional)</legend>
      {WEEKDAYS.map((day) => {
        const of = hours[day] ?? { start: '', end: '' };
        const name = weekdayName(day);
        const fault = hoursFault(of);
        return (
          <div key={day} className={css.day}>
            <span>{name}</span>
            <PlainInput
              type="time"
              aria-label={`${name} from`}
              value={of.start}
              onChange={({ target }) => set(day, { start: target.value })}
            />
            <span aria-hidden="true">–</span>
            <PlainInput
              type="time"
              aria-label={`${name} until`}
              value={toTimeField(of.end)}
              onChange={({ target }) => set(day, { end: fromTimeField(target.value) })}
            />
            {fault === null ? null : <FieldError>{fault}</FieldError>}
          </div>
        );
      })}
    </fieldset>
  );
}
