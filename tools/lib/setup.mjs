import { join } from 'node:path';
import { areDependenciesInstalled, installDependencies } from './dependencies.mjs';
import { withLock } from '../../apps/server/src/lock-file.mjs';
import { fetchNode24, findNode24 } from './node24.mjs';
import { ROOT, RUNTIME } from './paths.mjs';
import { arePagesBuilt, buildPages } from './pages.mjs';
import { say } from './process.mjs';

/**
 * Prepares the machine: Node 24, dependencies and, on request, the built pages. Skips steps that are done already. When
 * several processes start at once, one does the work and the others wait. Without `development`, an installation that was
 * pruned after the pages were built is enough.
 * @returns {Promise<string>} the path of the Node that runs the product
 */
export async function setUp({ pages, development = true }) {
  const installed = () =>
    areDependenciesInstalled() ||
    (!development && areDependenciesInstalled(ROOT, { production: true }) && (!pages || arePagesBuilt()));
  const ready = () => findNode24() !== undefined && installed() && (!pages || arePagesBuilt());
  if (ready()) return findNode24();
  return withLock(
    join(RUNTIME, 'setup.lock'),
    async () => {
      const node = findNode24() ?? (await fetchNode24());
      if (!installed()) await installDependencies(node);
      if (pages && !arePagesBuilt()) await buildPages(node);
      return node;
    },
    () => say('Another process is setting up; waiting for it to finish.'),
  );
}
