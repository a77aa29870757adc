import { useWatch, type UseFormReturn } from 'react-hook-form';
import { CLIENT_MARKS, type Therapist } from '@clinic/contract';
import { clinicLocations } from '@clinic/domain';
import { CLIENT_MARK_WORDS } from '../../../shared/field-labels.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Checkbox, Options, Select } from '../../../shared/ui/field.tsx';
import { CLIENT_LABELS as LABELS, type ClientForm } from '../client-form.ts';
import { canAddRestriction, nothingChosen, withChosen, type Choosing } from '../restrictions.ts';
import { RestrictionList } from './restriction-list.tsx';
import css from './profile-form.module.css';

interface Props {
  form: UseFormReturn<ClientForm>;
  therapists: readonly Therapist[];
}

/** A client's restrictions in the form: sentences that can be added and removed, and checkboxes. */
export function RestrictionFields({ form, therapists }: Props) {
  const { register } = form;
  return (
    <>
      <h3>{LABELS.restrictions}</h3>
      <Restrictions form={form} therapists={therapists} />
      <div className={css.checks}>
        {CLIENT_MARKS.map((mark) => (
          <label key={mark}>
            <Checkbox {...register(mark)} />
            {[CLIENT_MARK_WORDS[mark].label, CLIENT_MARK_WORDS[mark].means].filter(Boolean).join(': ')}
          </label>
        ))}
      </div>
      <p className="small muted">Every option follows these rules.</p>
    </>
  );
}

/**
 * A restriction needs a type and a value (PROF-08). Saving also includes a restriction that has been chosen but not yet
 * added.
 */
function Restrictions({ form, therapists }: Props) {
  const { control, setValue } = form;
  const [restrictions, location, adding] = useWatch({ control, name: ['restrictions', 'location', 'adding'] });
  const { type, restriction } = adding;
  const ready = canAddRestriction(restrictions, type, restriction);
  const choose = (now: Choosing): void => setValue('adding', now, { shouldDirty: true });
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
        <p className="muted">No restrictions yet.</p>
      )}
      <div className={css.add}>
        <Select
          label="Restriction"
          value={type}
          onChange={(event) => choose({ type: event.target.value as Choosing['type'], restriction: '' })}
        >
          <option value="">Choose</option>
          <option value="gender">Gender</option>
          <option value="therapist">Therapist</option>
        </Select>
        <Select
          label="Value"
          value={restriction}
          onChange={(event) => choose({ type, restriction: event.target.value })}
        >
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
            set(withChosen(restrictions, adding));
            choose(nothingChosen());
          }}
        >
          Add
        </Button>
      </div>
    </>
  );
}

/** The therapists to choose from for `Never …`. Those at the client's own location come first. */
function TherapistOptions({ therapists, first }: { therapists: readonly Therapist[]; first: string }) {
  const places = [...clinicLocations()].sort((a, b) => Number(b.value === first) - Number(a.value === first));
  return places.map(({ value, label }) => {
    const here = therapists.filter((t) => t.location === value);
    return here.length === 0 ? null : (
      <optgroup key={value} label={label}>
        <Options of={here.map((t) => [t.id, `Never ${t.display_name}`])} />
      </optgroup>
    );
  });
}
