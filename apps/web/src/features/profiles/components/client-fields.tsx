import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Therapist } from '@clinic/contract';
import { LOCATIONS } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { Checkbox, Input, Select } from '../../../shared/ui/field.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { requiredText, type ClientForm } from '../model.ts';
import { canAddRestriction, restrictionEffects, restrictionWords } from '../restrictions.ts';
import { GenderOptions, LocationOptions } from './select-options.tsx';
import css from './profile-form.module.css';

type Form = UseFormReturn<ClientForm>;

/** A client in edit mode: information, then restrictions as sentences that are added and removed. */
export function ClientFields({ form, therapists }: { form: Form; therapists: readonly Therapist[] }) {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <>
      <h3>Client Information</h3>
      <div className={css.two}>
        <Input
          label="First name"
          required
          autoComplete="off"
          error={errors.first_name?.message}
          {...register('first_name', { validate: requiredText('First name') })}
        />
        <Input
          label="Last name"
          required
          autoComplete="off"
          error={errors.last_name?.message}
          {...register('last_name', { validate: requiredText('Last name') })}
        />
        <Select
          label="Gender"
          required
          error={errors.gender?.message}
          {...register('gender', { validate: requiredText('Gender') })}
        >
          <GenderOptions />
        </Select>
        <Select
          label="Location"
          required
          error={errors.location?.message}
          {...register('location', { validate: requiredText('Location') })}
        >
          <LocationOptions />
        </Select>
      </div>
      <h3>Client Restrictions</h3>
      <Restrictions form={form} therapists={therapists} />
      <div className={css.checks}>
        <label>
          <Checkbox {...register('care_team_only')} />
          Only the care team: therapists who regularly see this client
        </label>
        <label>
          <Checkbox {...register('rbt_or_above')} />
          RBT or above: no BT
        </label>
        <label>
          <Checkbox {...register('two_to_one')} />
          Two therapists at a time
        </label>
      </div>
      <p className="small muted">A restriction holds in every plan, whatever it costs.</p>
    </>
  );
}

/** The sentences of a client's restrictions with what each comes to, and a way to remove them where there is one. */
export function RestrictionList({
  restrictions,
  location,
  therapists,
  onRemove,
}: {
  restrictions: ClientForm['restrictions'];
  location: string;
  therapists: readonly Therapist[];
  onRemove?: ((index: number) => void) | undefined;
}) {
  const nameOf = (id: string) => therapists.find((t) => t.id === id)?.display_name ?? 'a former therapist';
  const effects = restrictionEffects(restrictions, therapists, location);
  return (
    <ul>
      {restrictions.map((r, i) => {
        const words = restrictionWords(r, nameOf);
        return (
          <li key={`${r.type} ${r.restriction}`} className={css.rule}>
            <span className={css.mark}>
              <Icon name={r.type === 'gender' ? 'person' : 'slash'} />
            </span>
            <p>
              <b>{words}</b>
              {effects[i] ? (
                <>
                  <br />
                  <span className="small muted">{effects[i]}</span>
                </>
              ) : null}
            </p>
            {onRemove ? (
              <Button variant="link" onClick={() => onRemove(i)}>
                Remove<span className="sr"> {words}</span>
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** Adding takes a type and a value (PROF-08). */
function Restrictions({ form, therapists }: { form: Form; therapists: readonly Therapist[] }) {
  const { control, setValue } = form;
  const [restrictions, location] = useWatch({ control, name: ['restrictions', 'location'] });
  const [type, setType] = useState('');
  const [value, setValueChosen] = useState('');
  const ready = canAddRestriction(restrictions, type, value);
  const set = (list: ClientForm['restrictions']): void => setValue('restrictions', list, { shouldDirty: true });
  return (
    <>
      {restrictions.length > 0 ? (
        <RestrictionList
          restrictions={restrictions}
          location={location}
          therapists={therapists}
          onRemove={(i) => set(restrictions.filter((_, at) => at !== i))}
        />
      ) : (
        <p className="muted">No gender is asked for, and nobody is excluded.</p>
      )}
      <div className={css.add}>
        <Select
          label="Restriction"
          value={type}
          onChange={(event) => {
            setType(event.target.value);
            setValueChosen('');
          }}
        >
          <option value="">Choose</option>
          <option value="gender">Gender</option>
          <option value="therapist">Therapist</option>
        </Select>
        <Select label="Value" value={value} onChange={(event) => setValueChosen(event.target.value)}>
          <option value="">Choose</option>
          {type === 'gender' ? (
            <>
              <option value="male">Only male</option>
              <option value="female">Only female</option>
            </>
          ) : type === 'therapist' ? (
            <TherapistOptions therapists={therapists} first={location} />
          ) : null}
        </Select>
        <Button
          unavailable={!ready}
          onClick={() => {
            set([...restrictions, { type: type as 'gender' | 'therapist', restriction: value }]);
            setValueChosen('');
          }}
        >
          Add
        </Button>
      </div>
    </>
  );
}

/** `Never …`, the client's own location first. */
function TherapistOptions({ therapists, first }: { therapists: readonly Therapist[]; first: string }) {
  const places = [...LOCATIONS].sort((a, b) => Number(b.value === first) - Number(a.value === first));
  return places.map(({ value, label }) => {
    const here = therapists.filter((t) => t.location === value);
    return here.length === 0 ? null : (
      <optgroup key={value} label={label}>
        {here.map((t) => (
          <option key={t.id} value={t.id}>
            Never {t.display_name}
          </option>
        ))}
      </optgroup>
    );
  });
}
