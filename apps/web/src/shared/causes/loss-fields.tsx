import type { LossBody } from '@clinic/contract';
import { LOSS_SIDES, type LossSide } from '@clinic/domain';
import { Input, Options, Select } from '../ui/field.tsx';
import { NOT_SAID, SIDE_WORDS, offered } from './model.ts';
import { useCauses } from './use-causes.ts';
import css from './loss-fields.module.css';

/**
 * The optional fields about lost time: its cause and, once a cause is chosen, who caused the loss and when it became
 * known. The server uses that time to determine whether the notice was late.
 */
export function LossFields({
  value,
  side,
  name,
  onChange,
}: {
  value: LossBody | undefined;
  /** The default for who caused the loss: the person who is away, or the family if a session was cancelled. */
  side: LossSide;
  /** The name of the person or session, for screen readers. */
  name: string;
  onChange: (loss: LossBody) => void;
}) {
  const causes = useCauses().data ?? [];
  const cause = value?.cause ?? NOT_SAID;
  const own = causes.find((each) => each.id === cause);
  const of = <span className="sr"> {name}</span>;
  return (
    <div className={css.fields}>
      <Select
        label={<>Reason{of}</>}
        value={cause}
        onChange={({ target }) =>
          onChange({ cause: target.value === NOT_SAID ? null : target.value, known: value?.known })
        }
      >
        <option value={NOT_SAID}>No reason yet</option>
        <Options of={offered(causes, cause).map(({ id, label }) => [id, label])} />
      </Select>
      {own ? (
        <Select
          label={<>Caused by{of}</>}
          value={value?.lost_by ?? own.lost_by ?? side}
          onChange={({ target }) =>
            onChange({ ...value, cause, lost_by: LOSS_SIDES.find((each) => each === target.value) ?? null })
          }
        >
          <Options of={LOSS_SIDES.map((each) => [each, SIDE_WORDS[each]])} />
        </Select>
      ) : null}
      {own ? (
        <Input
          label={<>When did they tell us?{of}</>}
          type="datetime-local"
          value={value?.known ?? ''}
          onChange={({ target }) => onChange({ ...value, cause, known: target.value || undefined })}
        />
      ) : null}
    </div>
  );
}
