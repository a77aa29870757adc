/**
 * Makes the demo clinic in DATA_DIR a clinic of its own, for browser tests: its accounts then do not end with the first
 * account or import. `node own-clinic-main.ts`
 */
import { loadConfig } from '../config.ts';
import { openStore } from '../platform/store.ts';

const store = await openStore(loadConfig(process.env), { creates: false, progress: () => {} });
await store.db.updateTable('account').set({ demo: false }).execute();
await store.close();
