import type { Cause } from '@clinic/contract';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ActiveChip } from '../../../shared/ui/active-chip.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
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

export const CauseTable = (props: { causes: readonly Cause[]; onEdit: (cause: Cause) => void }) => (
  <ScrollRegion label="Reasons" className={table.scroll}>
    <DataTable
      caption="Reasons"
      rows={props.causes}
      keyOf={({ id }) => id}
      tr={({ retired }) => ({ 'data-off': retired || undefined })}
      columns={[
        { head: 'Reason', cell: ({ label }) => label },
        {
          head: 'Caused by',
          cell: ({ lost_by }) => (lost_by === null ? 'The person who is away' : SIDE_WORDS[lost_by]),
        },
        { head: 'Status', cell: ({ retired }) => <ActiveChip unless={retired && 'Retired'} /> },
        {
          head: 'Change',
          unseen: true,
          td: () => ({ className: table.actions }),
          cell: (cause) => (
            <>
              <Button size="sm" onClick={() => props.onEdit(cause)}>
                {cause.retired ? 'Restore' : 'Edit'}
                <span className="sr"> {cause.label}</span>
              </Button>{' '}
              {cause.retired ? null : (
                <Button size="sm" single onClick={() => void remove(cause)}>
                  Remove<span className="sr"> {cause.label}</span>
                </Button>
              )}
            </>
          ),
        },
      ]}
    />
  </ScrollRegion>
);
