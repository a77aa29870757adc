import type { Therapist } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import type { ClientForm } from '../client-form.ts';
import { restrictionEffects, restrictionWords } from '../restrictions.ts';
import css from './profile-form.module.css';

/** A client's restrictions as sentences, each with its effect. In the form, each also has a button that removes it. */
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
              <Button variant="link" single onClick={() => onRemove(i)}>
                Remove<span className="sr"> {words}</span>
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
