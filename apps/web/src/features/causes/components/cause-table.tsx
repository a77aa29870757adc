import type { Cause } from '@clinic/contract';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ActiveChip } from '../../../shared/ui/active-chip.tsx';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import table from '../../../shared/ui/table.module.css';
import { toast } from '../../../shared/ui/toast.tsx';
import { removeCause } from '../api/causes.ts';

async function remove(cause: Cause): Promise<void> {
  try {
    const became = await removeCause(cause);
    toast({
      text:
        became === 'retired'
          ? `${cause.label} is in use, so it was retired: it is no longer offered, but existing records keep it.`
          : `${cause.label} is deleted.`,
    });
  } catch (error) {
    toast({ tone: 'warn', text: failureWords(error, 'the list') });
  }
}

export function CauseTable({ causes, onEdit }: { causes: readonly Cause[]; onEdit: (cause: Cause) => void }) {
  return (
    <ScrollRegion label="Reasons" className={table.scroll}>
      <table className={table.table}>
        <caption className="sr">Reasons</caption>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col">Caused by</th>
            <th scope="col">Status</th>
            <th scope="col">
              <span className="sr">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <tr key={cause.id} data-off={cause.retired || undefined}>
              <td>{cause.label}</td>
              <td>{cause.lost_by === null ? 'The person who is away' : SIDE_WORDS[cause.lost_by]}</td>
              <td>
                <ActiveChip unless={cause.retired && 'Retired'} />
              </td>
              <td className={table.actions}>
                <Button size="sm" onClick={() => onEdit(cause)}>
                  {cause.retired ? 'Restore' : 'Edit'}
                  <span className="sr"> {cause.label}</span>
                </Button>{' '}
                {cause.retired ? null : (
                  <Button size="sm" single onClick={() => void remove(cause)}>
                    Remove<span className="sr"> {cause.label}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
