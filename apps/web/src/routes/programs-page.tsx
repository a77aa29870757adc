import { useState } from 'react';
import type { ServiceAccount, Webhook } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { renewSecret, replay, usePrograms, useWebhooks } from '../features/programs/api.ts';
import { ProgramDialog, scopeWords } from '../features/programs/program-dialog.tsx';
import { eventWords, SecretDialog, WebhookDialog } from '../features/programs/webhook-dialog.tsx';
import { ActiveChip } from '../shared/ui/active-chip.tsx';
import { Button } from '../shared/ui/button.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { LoadFailure } from '../shared/ui/load-failure.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { RequireAdmin } from '../shared/ui/require-admin.tsx';
import { ScrollRegion } from '../shared/ui/scroll-region.tsx';
import { EmptyState } from '../shared/ui/states.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { useAct } from '../shared/use-act.ts';
import table from '../shared/ui/table.module.css';
import css from '../features/programs/programs.module.css';

/** For administrators of all locations: other programs that read the clinic's records, or are told what changed. */
export const ProgramsPage = () => (
  <RequireAdmin title="Other programs" everywhere>
    <Programs />
  </RequireAdmin>
);

function Programs() {
  const programs = usePrograms();
  const webhooks = useWebhooks();
  const [program, openProgram, closeProgram] = useOpening<{ program: ServiceAccount | null }>();
  const [webhook, openWebhook, closeWebhook] = useOpening<{ webhook: Webhook | null }>();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Page
      title="Other programs"
      toolbar={
        <>
          <h1>Other programs</h1>
          <span className="grow" />
          <Button size="lg" onClick={() => openWebhook({ webhook: null })}>
            Add Webhook
          </Button>
          <Button variant="primary" size="lg" onClick={() => openProgram({ program: null })}>
            <Icon name="plus" />
            Add Program
          </Button>
        </>
      }
    >
      <Sheet fills="parts">
        <LoadFailure what="the webhooks" query={webhooks} />
        <Loading what="the programs" query={programs} lines={4}>
          {(rows) =>
            rows.length === 0 && webhooks.data?.length === 0 ? (
              <EmptyState title="No other program reads the calendar">
                A program that you add may read sessions, or which records have changed. A webhook is told that
                something has changed, and never a name.
              </EmptyState>
            ) : (
              <ScrollRegion label="Other programs" className={table.scroll}>
                <ProgramTable programs={rows} onEdit={(each) => openProgram({ program: each })} />
                <WebhookTable
                  webhooks={webhooks.data ?? []}
                  onEdit={(each) => openWebhook({ webhook: each })}
                  onSecret={setSecret}
                />
              </ScrollRegion>
            )
          }
        </Loading>
      </Sheet>
      {program ? (
        <ProgramDialog key={program.key} program={program.value.program} onClose={() => closeProgram(program.key)} />
      ) : null}
      {webhook ? (
        <WebhookDialog
          key={webhook.key}
          webhook={webhook.value.webhook}
          onSecret={setSecret}
          onClose={() => closeWebhook(webhook.key)}
        />
      ) : null}
      {secret === null ? null : <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

const placesWords = (locations: readonly string[] | null): string =>
  locations === null
    ? 'All locations'
    : locations.map((each) => (isLocation(each) ? locationLabel(each) : each)).join(', ') || 'None';

const ProgramTable = (props: { programs: readonly ServiceAccount[]; onEdit: (program: ServiceAccount) => void }) => (
  <DataTable
    caption="Programs that read records"
    captionClass={css.caption}
    rows={props.programs}
    keyOf={({ id }) => id}
    tr={({ disabled }) => ({ 'data-off': disabled || undefined })}
    columns={[
      { head: 'Name', cell: ({ name }) => name },
      { head: 'Client id', cell: ({ id }) => <span className={css.id}>{id}</span> },
      { head: 'May read', cell: ({ scopes }) => scopes.map(scopeWords).join('; ') },
      { head: 'Locations', cell: ({ locations }) => placesWords(locations) },
      {
        head: 'Last login',
        cell: ({ used_at }) => (used_at === null ? 'Never' : new Date(used_at).toLocaleString('en-US')),
      },
      { head: 'Status', cell: ({ disabled }) => <ActiveChip unless={disabled && 'Ended'} /> },
      {
        head: 'Change',
        unseen: true,
        td: () => ({ className: table.actions }),
        cell: (program) => (
          <Button size="sm" onClick={() => props.onEdit(program)}>
            Edit<span className="sr"> {program.name}</span>
          </Button>
        ),
      },
    ]}
  />
);

function WebhookTable({
  webhooks,
  onEdit,
  onSecret,
}: {
  webhooks: readonly Webhook[];
  onEdit: (webhook: Webhook) => void;
  onSecret: (secret: string) => void;
}) {
  const { busy, act } = useAct('the list');
  const sendAgain = (webhook: Webhook): void =>
    act(
      () => replay(webhook),
      (count) => void toast({ text: `${count} ${count === 1 ? 'message is' : 'messages are'} sent again` }),
    );
  if (webhooks.length === 0) return null;
  return (
    <DataTable
      caption="Webhooks"
      captionClass={css.caption}
      rows={webhooks}
      keyOf={({ id }) => id}
      tr={({ disabled }) => ({ 'data-off': disabled || undefined })}
      columns={[
        { head: 'Address', cell: ({ url }) => <span className={css.id}>{url}</span> },
        { head: 'Told when', cell: ({ events }) => events.map(eventWords).join('; ') },
        { head: 'Locations', cell: ({ locations }) => placesWords(locations) },
        { head: 'Messages', cell: (webhook) => <Messages {...webhook} /> },
        {
          head: 'Status',
          cell: ({ disabled, disabled_why }) => (
            <>
              <ActiveChip unless={disabled && 'Ended'} />
              {disabled_why === null ? null : <span className={css.fault}>{disabled_why}</span>}
            </>
          ),
        },
        {
          head: 'Actions',
          unseen: true,
          td: () => ({ className: table.actions }),
          cell: (webhook) => (
            <>
              <Button size="sm" onClick={() => onEdit(webhook)}>
                Edit<span className="sr"> {webhook.url}</span>
              </Button>{' '}
              <Button size="sm" unavailable={busy} onClick={() => act(() => renewSecret(webhook), onSecret)}>
                New Secret<span className="sr"> for {webhook.url}</span>
              </Button>{' '}
              {webhook.failed === 0 ? null : (
                <Button size="sm" unavailable={busy} onClick={() => sendAgain(webhook)}>
                  Send Again<span className="sr"> to {webhook.url}</span>
                </Button>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

/** What waits and what was given up, and the last fault. */
const Messages = ({ waiting, failed, fault }: Webhook) => (
  <>
    {[waiting > 0 ? `${waiting} waiting` : '', failed > 0 ? `${failed} given up` : ''].filter(Boolean).join(', ') ||
      'All sent'}
    {fault === null ? null : <span className={css.fault}>{fault}</span>}
  </>
);
