import type { CallLine } from '@clinic/contract';
import { Button } from '../../../../shared/ui/button.tsx';
import type { CallListState } from '../use-call-list.ts';
import css from '../calls.module.css';

/** The button that takes back that a person was told. `what` says which result, for screen readers. */
export function NotTold({
  person,
  result,
  what,
  list,
}: {
  person: Pick<CallLine, 'kind' | 'id'>;
  result: string;
  what: string | null;
  list: CallListState;
}) {
  return (
    <Button
      data-writes
      size="sm"
      variant="ghost"
      className={css.screen}
      single
      onClick={() => void list.takeBack(person, result)}
    >
      Not told<span className="sr"> after all: {what}</span>
    </Button>
  );
}
