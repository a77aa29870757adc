import type { ManagedLocation } from '@clinic/contract';
import { parseDate, shortDate, type IsoDate } from '@clinic/domain';
import { closeFrom, useManagedLocations } from '../features/locations/api.ts';
import { ClosingDialog, MergeDialog } from '../features/locations/ending-dialogs.tsx';
import { LocationDialog } from '../features/locations/location-dialog.tsx';
import { peopleWords, zoneWords } from '../features/locations/model.ts';
import { useToday } from '../shared/clinic-clock.ts';
import { usePickedLocation } from '../shared/session/session-info.ts';
import { ActiveChip } from '../shared/ui/active-chip.tsx';
import { Button } from '../shared/ui/button.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { RequireAdmin } from '../shared/ui/require-admin.tsx';
import { ScrollRegion } from '../shared/ui/scroll-region.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { warn } from '../shared/use-act.ts';
import table from '../shared/ui/table.module.css';

/** For administrators of all locations: the clinic's locations. */
export const LocationsPage = () => (
  <RequireAdmin title="Locations" everywhere>
    <Locations />
  </RequireAdmin>
);

type Doing = { readonly what: 'edit'; readonly location: ManagedLocation | null } | Ending;
interface Ending {
  readonly what: 'close' | 'merge';
  readonly location: ManagedLocation;
}

function Locations() {
  const query = useManagedLocations();
  const today = useToday(usePickedLocation(undefined));
  const [open, setOpen, close] = useOpening<Doing>();
  return (
    <Page
      title="Locations"
      toolbar={
        <>
          <h1>Locations</h1>
          <span className="small muted">Where the clinic works, and by which clock</span>
          <span className="grow" />
          <Button variant="primary" size="lg" onClick={() => setOpen({ what: 'edit', location: null })}>
            <Icon name="plus" />
            Add Location
          </Button>
        </>
      }
    >
      <Sheet fills="parts">
        <Loading what="the locations" query={query}>
          {(list) => (
            <>
              <LocationTable list={list} today={today} onDo={setOpen} />
              {open && today ? (
                <Dialogs key={open.key} doing={open.value} list={list} today={today} onClose={() => close(open.key)} />
              ) : null}
            </>
          )}
        </Loading>
      </Sheet>
    </Page>
  );
}

function Dialogs(props: { doing: Doing; list: readonly ManagedLocation[]; today: IsoDate; onClose: () => void }) {
  const { doing, ...rest } = props;
  if (doing.what === 'edit') return <LocationDialog location={doing.location} {...rest} />;
  if (doing.what === 'close') return <ClosingDialog location={doing.location} {...rest} />;
  return <MergeDialog location={doing.location} {...rest} />;
}

function reopen(location: ManagedLocation): void {
  closeFrom(location, null).then(() => toast({ text: `${location.label} stays open.` }), warn('the list'));
}

/** What became of a location that ends; false for one that stays. */
function endWords(
  { closed_from, merged_into }: ManagedLocation,
  list: readonly ManagedLocation[],
  today: IsoDate | null,
) {
  const from = closed_from === null ? null : parseDate(closed_from);
  if (from === null) return false;
  if (merged_into !== null)
    return `Merged into ${list.find(({ value }) => value === merged_into)?.label ?? merged_into}`;
  return today !== null && from <= today ? 'Closed' : `Closes ${shortDate(from)}`;
}

function LocationTable(props: {
  list: readonly ManagedLocation[];
  today: IsoDate | null;
  onDo: (doing: Doing) => void;
}) {
  return (
    <ScrollRegion label="Locations" className={table.scroll}>
      <DataTable
        caption="Locations"
        rows={props.list}
        keyOf={({ value }) => value}
        tr={({ closed_from }) => ({ 'data-off': closed_from !== null || undefined })}
        columns={[
          { head: 'Name', names: true, cell: ({ label }) => label },
          { head: 'Group', cell: ({ group }) => group },
          { head: 'Time zone', cell: ({ zone }) => zoneWords(zone) },
          { head: 'People', cell: peopleWords },
          {
            head: 'Status',
            cell: (each) => <ActiveChip unless={endWords(each, props.list, props.today)} />,
          },
          {
            head: 'Change',
            unseen: true,
            td: () => ({ className: table.actions }),
            cell: (each) => <Acts location={each} onDo={props.onDo} />,
          },
        ]}
      />
    </ScrollRegion>
  );
}

function Acts({ location, onDo }: { location: ManagedLocation; onDo: (doing: Doing) => void }) {
  const name = <span className="sr"> {location.label}</span>;
  if (location.merged_into !== null) return null;
  return (
    <>
      <Button size="sm" onClick={() => onDo({ what: 'edit', location })}>
        Edit{name}
      </Button>{' '}
      {location.closed_from === null ? (
        <>
          <Button size="sm" onClick={() => onDo({ what: 'merge', location })}>
            Merge{name}
          </Button>{' '}
          <Button size="sm" onClick={() => onDo({ what: 'close', location })}>
            Close{name}
          </Button>
        </>
      ) : (
        <Button size="sm" single onClick={() => reopen(location)}>
          Keep open{name}
        </Button>
      )}
    </>
  );
}
