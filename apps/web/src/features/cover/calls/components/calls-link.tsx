import type { CallCount } from '@clinic/contract';
import { callCountWords } from '../../../../shared/call-count-words.ts';
import { Link } from '../../../../shared/router/link.tsx';
import { buttonClass } from '../../../../shared/ui/button.tsx';
import type { CallDay } from '../api/use-calls.ts';

/** A link to the call list, shown while anyone still has to be told. */
export function CallsLink({ day, count }: { day: CallDay; count: CallCount }) {
  const words = callCountWords(count);
  if (words === null) return null;
  return (
    <Link to="/calls" search={{ ...day }} className={buttonClass({ size: 'lg' })}>
      <span className={count.urgent > 0 ? 'alarm' : undefined}>{words}</span>
    </Link>
  );
}
