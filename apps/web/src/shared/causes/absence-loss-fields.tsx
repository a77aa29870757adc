import type { AbsenceLossBody } from '@clinic/contract';
import type { LossSide } from '@clinic/domain';
import { Checkbox } from '../ui/field.tsx';
import { LossFields } from './loss-fields.tsx';
import { useCauses } from './use-causes.ts';
import css from './loss-fields.module.css';

/**
 * Why a person is away, and whether they do not know of it yet. Unless someone says so, they do not know when somebody else
 * caused the loss, such as the clinic or a payer.
 */
export function AbsenceLossFields({
  value,
  side,
  name,
  onChange,
}: {
  value: AbsenceLossBody | undefined;
  /** The side of the person who is away. */
  side: LossSide;
  /** The name of the person, for screen readers. */
  name: string;
  onChange: (loss: AbsenceLossBody) => void;
}) {
  const cause = useCauses().data?.find(({ id }) => id === value?.cause);
  const untold = value?.untold ?? (value?.lost_by ?? cause?.lost_by ?? side) !== side;
  return (
    <>
      <LossFields
        value={value}
        side={side}
        name={name}
        onChange={(loss) => onChange({ ...loss, untold: value?.untold })}
      />
      <label className={css.untold}>
        <Checkbox
          checked={untold}
          onChange={({ target }) => onChange({ cause: null, ...value, untold: target.checked })}
        />
        <span>
          They do not know yet<span className="sr">: {name}</span>
        </span>
      </label>
    </>
  );
}
