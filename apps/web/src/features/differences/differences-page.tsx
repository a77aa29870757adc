import type { FolderImport, ImportDifference } from '@clinic/contract';
import { defaultLocation } from '@clinic/domain';
import { instantWords } from '../../shared/instant-words.ts';
import { Link } from '../../shared/router/link.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { DataTable } from '../../shared/ui/data-table.tsx';
import { Loading } from '../../shared/ui/loading.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { RequireAdmin } from '../../shared/ui/require-admin.tsx';
import { ScrollRegion } from '../../shared/ui/scroll-region.tsx';
import { EmptyState, Notice } from '../../shared/ui/states.tsx';
import table from '../../shared/ui/table.module.css';
import { toast } from '../../shared/ui/toast.tsx';
import { useAct } from '../../shared/use-act.ts';
import css from './differences.module.css';
import { sessionWords, sideWords } from './model.ts';
import { useDecisions, useDifferences, useFolderImport } from './use-differences.ts';

/** The page where administrators decide what to do with what the billing system has otherwise. */
export const DifferencesPage = () => (
  <RequireAdmin title="Billing system" everywhere>
    <Differences />
  </RequireAdmin>
);

function Differences() {
  const last = useFolderImport(true).data?.last;
  const query = useDifferences();
  const { busy, act } = useAct('the list');
  const { decide, importWaiting } = useDecisions();
  const take = (which: 'theirs' | 'ours', rows: readonly ImportDifference[]): void =>
    act(
      () => decide(which, rows),
      (n) => toast({ text: decidedWords(which, n) }),
    );
  const rows = query.data?.differences ?? [];
  return (
    <Page
      title="Billing system"
      toolbar={
        <>
          <h1>Billing system</h1>
          <span className="small muted">Sessions that are different there</span>
          <span className="grow" />
          {rows.length > 1 ? (
            <>
              <Button size="lg" unavailable={busy} onClick={() => take('theirs', rows)}>
                {`Take theirs for all ${rows.length}`}
              </Button>
              <Button size="lg" unavailable={busy} onClick={() => take('ours', rows)}>
                {`Keep ours for all ${rows.length}`}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <Sheet fills="parts">
        {last ? (
          <LastImport
            last={last}
            busy={busy}
            onImport={() =>
              act(
                () => importWaiting(last.id),
                () => toast({ text: 'The import begins within a minute.' }),
              )
            }
          />
        ) : null}
        <Loading what="the differences" query={query}>
          {({ differences }) =>
            differences.length === 0 ? (
              <EmptyState title="No differences to decide">
                Sessions changed here that are different in the billing system are listed after its next export.
              </EmptyState>
            ) : (
              <ScrollRegion label="Differences" className={table.scroll}>
                <DifferenceTable rows={differences} busy={busy} onTake={take} />
              </ScrollRegion>
            )
          }
        </Loading>
      </Sheet>
    </Page>
  );
}

const decidedWords = (which: 'theirs' | 'ours', n: number): string => {
  const what = n === 1 ? '1 session' : `${n} sessions`;
  return which === 'theirs'
    ? `${what}: the billing system’s version is imported within a minute.`
    : `${what}: kept as here. The export of changes tells the billing system.`;
};

const DifferenceTable = (props: {
  rows: readonly ImportDifference[];
  busy: boolean;
  onTake: (which: 'theirs' | 'ours', rows: readonly ImportDifference[]) => void;
}) => (
  <DataTable
    caption="Sessions that differ, the earliest first"
    rows={props.rows}
    keyOf={({ key }) => key}
    columns={[
      {
        head: 'Session',
        names: true,
        cell: ({ ours }) => (
          <>
            {ours.client ?? ours.subject} <span className="small muted">{sessionWords(ours)}</span>
          </>
        ),
      },
      { head: 'Theirs', cell: ({ theirs, ours }) => sideWords(theirs, ours) },
      { head: 'Ours', cell: ({ theirs, ours }) => sideWords(ours, theirs) },
      {
        head: 'Changed here',
        cell: ({ changed_at: at, changed_by: by, both }) => (
          <>
            {at === null ? '' : instantWords(defaultLocation(), at)}
            {by === null ? '' : `, ${by}`}
            {both ? <span className="small muted"> Both changed since the last import</span> : null}
          </>
        ),
      },
      {
        head: 'Decide',
        unseen: true,
        cell: (row) => (
          <span className={css.acts}>
            <Button unavailable={props.busy} onClick={() => props.onTake('theirs', [row])}>
              Take theirs<span className="sr">: {row.ours.client}</span>
            </Button>
            <Button unavailable={props.busy} onClick={() => props.onTake('ours', [row])}>
              Keep ours<span className="sr">: {row.ours.client}</span>
            </Button>
          </span>
        ),
      },
    ]}
  />
);

const rowsWords = (n: number, verb: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'} ${verb}`;

/** What came of the last files. */
function LastImport({ last, busy, onImport }: { last: FolderImport; busy: boolean; onImport: () => void }) {
  const when = instantWords(defaultLocation(), last.at);
  const report = `Its files and a report are in the folder for imports, in ${last.folder}.`;
  if (last.state === 'failed')
    return (
      <Notice tone="error" title={`The export of ${when} could not be read. ${last.fault}`}>
        {`Nothing was imported. ${report} Correct it and put it there again.`}
      </Notice>
    );
  if (last.state === 'waiting')
    return (
      <Notice
        tone="warn"
        title={
          last.questions > 0
            ? `The export of ${when} waits for answers: ${last.questions}.`
            : `The export of ${when} waits: ${rowsWords(last.newly_refused, 'would be left out')} that were not before.`
        }
        actions={
          <Button unavailable={busy || last.wanted} onClick={onImport}>
            {last.wanted ? 'Begins within a minute' : last.questions > 0 ? 'Try again' : 'Import the other rows'}
          </Button>
        }
      >
        {`Nothing was imported. ${report} `}
        {last.questions > 0 ? (
          <>
            Check these files on the page <Link to="/import">Import</Link> and answer there; answers are remembered.
          </>
        ) : null}
      </Notice>
    );
  return (
    <p className={css.last}>
      {`The export of ${when} was imported: ${rowsWords(last.new, 'new')}, ${rowsWords(last.changed, 'changed')}, ${rowsWords(last.refused, 'left out')}.`}
    </p>
  );
}
