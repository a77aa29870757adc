import { useQuery } from '@tanstack/react-query';
import { recordsEndpoints, type BodyOf, type ServiceAccount, type Webhook } from '@clinic/contract';
import { call } from '../../shared/api/client.ts';
import { queryClient, queryKeys, showReply } from '../../shared/api/query-client.ts';
import { queryOf } from '../../shared/api/query-of.ts';

const { listServiceAccounts, listWebhooks } = recordsEndpoints;

export const usePrograms = () => useQuery(queryOf(queryKeys.programs, listServiceAccounts, {}));

/** The webhooks; loaded again every few seconds while something waits to be sent. */
export const useWebhooks = () =>
  useQuery({
    ...queryOf(queryKeys.webhooks, listWebhooks, {}),
    refetchInterval: ({ state: { data } }) => (data?.some(({ waiting }) => waiting > 0) ? 5000 : false),
  });

type ProgramBody = BodyOf<typeof recordsEndpoints.addServiceAccount>;
type WebhookBody = BodyOf<typeof recordsEndpoints.addWebhook>;

/** Saves a service account; without `program`, a new one. Empty `keys` keep the ones that it has. */
export async function saveProgram(
  program: ServiceAccount | null,
  { keys, ...body }: ProgramBody,
  { disabled, version }: { readonly disabled: boolean; readonly version: number },
): Promise<ServiceAccount> {
  const saved =
    program === null
      ? await call(recordsEndpoints.addServiceAccount, { body: { ...body, keys } })
      : await call(recordsEndpoints.changeServiceAccount, {
          params: { id: program.id },
          body: { ...body, ...(keys === '' ? {} : { keys }), disabled, version },
        });
  void queryClient.invalidateQueries({ queryKey: queryKeys.programs });
  return saved;
}

export async function reloadProgram(id: string): Promise<ServiceAccount | undefined> {
  const programs = await showReply(queryKeys.programs, call(listServiceAccounts, {}));
  return programs.find((program) => program.id === id);
}

/** Saves a webhook; without `webhook`, a new one. Returns the secret of a new one, which is not sent again. */
export async function saveWebhook(
  webhook: Webhook | null,
  body: WebhookBody,
  { disabled, version }: { readonly disabled: boolean; readonly version: number },
): Promise<string | null> {
  const secret =
    webhook === null
      ? (await call(recordsEndpoints.addWebhook, { body })).secret
      : await call(recordsEndpoints.changeWebhook, {
          params: { id: webhook.id },
          body: { ...body, disabled, version },
        }).then(() => null);
  void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });
  return secret;
}

export async function reloadWebhook(id: string): Promise<Webhook | undefined> {
  const webhooks = await showReply(queryKeys.webhooks, call(listWebhooks, {}));
  return webhooks.find((webhook) => webhook.id === id);
}

export async function renewSecret({ id }: Webhook): Promise<string> {
  const { secret } = await call(recordsEndpoints.renewWebhookSecret, { params: { id } });
  void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });
  return secret;
}

/** Sends again what was given up; returns how many messages. */
export async function replay({ id }: Webhook): Promise<number> {
  const { deliveries } = await call(recordsEndpoints.replayWebhook, { params: { id } });
  void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });
  return deliveries;
}
