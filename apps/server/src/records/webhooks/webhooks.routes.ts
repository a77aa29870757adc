import { recordsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { addWebhook, changeWebhook, listWebhooks, renewSecret, replay } from './webhooks.service.ts';

/** Lets administrators decide which other programs are told what changed. */
export function webhooksRoutes(app: App, { db, seal }: Deps): void {
  addRoute(app, recordsEndpoints.listWebhooks, () => listWebhooks(db));
  addRoute(app, recordsEndpoints.addWebhook, ({ body, act }) => addWebhook(db, body, seal, act));
  addRoute(app, recordsEndpoints.changeWebhook, ({ params, body, act }) => changeWebhook(db, params.id, body, act));
  addRoute(app, recordsEndpoints.renewWebhookSecret, ({ params, act }) => renewSecret(db, params.id, seal, act));
  addRoute(app, recordsEndpoints.replayWebhook, async ({ params, act }) => ({
    deliveries: await replay(db, params.id, act),
  }));
}
