import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import * as z from 'zod/mini';
import { startEmbedded } from '../apps/server/src/db/embedded/index.ts';

export const SHIPPING = 'shipping';

const READY = /^Scheduler is ready at (http:\S+)$/;
/** What reads our files as strangers do: Debian's packages. */
const PROGRAMS = ['skopeo', 'umoci', 'bubblewrap', 'docker-compose', 'python3-venv'];
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.19.0';
const VALIDATOR = 'cyclonedx-python-lib[json-validation]==11.0.0';

const ociConfig = z.object({
  process: z.object({ args: z.array(z.string()), env: z.array(z.string()), cwd: z.string() }),
});

/**
 * Makes what is shipped and gives it to others to read: an image built twice has one digest, skopeo and umoci read it, and
 * what they unpack starts without a shell or a writable folder; an installation without development packages starts
 * without a network; helm, docker-compose and CycloneDX's own library accept our files. Needs Debian 12, root, and Go for
 * helm.
 * @returns whether all of this is so
 */
export async function runShipping(root: string, results: string): Promise<boolean> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-shipping-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user
  const figures: Record<string, string> = {};
  let failed = 0;
  const step = async (name: string, work: () => Promise<string> | string): Promise<void> => {
    try {
      figures[name] = await work();
    } catch (error) {
      failed++;
      figures[name] = 'FAILED';
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
  try {
    installMissing();
    await step('image', () => tryImage(root, folder));
    await step('unpacked image', () => startUnpacked(folder));
    await step('without development packages and network', () => startPruned(root, folder));
    await step('helm', () => tryHelm(root, folder));
    await step('compose', () => tryCompose(root, folder));
    await step('SBOM', () => trySbom(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const result = { name: SHIPPING, count: Object.keys(figures).length, seconds, at: new Date(), figures };
  writeFileSync(join(results, `${SHIPPING}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return failed === 0;
}

/** Runs a program to its end; throws what it printed if it fails. */
function must(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr || stdout}`);
  return stdout;
}

function installMissing(): void {
  const has = (name: string): boolean => spawnSync('dpkg', ['-s', name]).status === 0;
  const missing = PROGRAMS.filter((name) => !has(name));
  if (missing.length === 0) return;
  must('apt-get', ['update', '-qq']);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env });
}

const imageAt = (folder: string): string => join(folder, 'one.tar');
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function tryImage(root: string, folder: string): string {
  for (const name of ['one', 'two']) {
    const work = join(folder, `work-${name}`);
    mkdirSync(work);
    must('npm', ['run', '--silent', 'ship', '--', 'image', join(folder, `${name}.tar`)], {
      cwd: root,
      env: { ...process.env, TMPDIR: work },
    });
  }
  const [one, two] = [imageAt(folder), join(folder, 'two.tar')].map(hashOf);
  if (one !== two) throw new Error(`two builds differ: ${one} and ${two}`);
  const said = z.object({ Digest: z.string(), Layers: z.array(z.string()) });
  const { Digest } = said.parse(JSON.parse(must('skopeo', ['inspect', `oci-archive:${imageAt(folder)}`])));
  return `twice ${Digest.slice(0, 19)}…, ${Math.round(readFileSync(imageAt(folder)).length / 1e6)} MB`;
}

/** Starts the server as the image says, from what umoci unpacked, read-only and as nobody. */
async function startUnpacked(folder: string): Promise<string> {
  const [layout, bundle] = [join(folder, 'layout'), join(folder, 'bundle')];
  mkdirSync(layout);
  must('tar', ['-xf', imageAt(folder), '-C', layout]);
  const index = z.object({ manifests: z.array(z.object({ annotations: z.record(z.string(), z.string()) })) });
  const [manifest] = index.parse(JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'))).manifests;
  const tag = manifest?.annotations['org.opencontainers.image.ref.name'] ?? '';
  must('umoci', ['unpack', '--image', `${layout}:${tag}`, bundle]);
  const { args, env, cwd } = ociConfig.parse(JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'))).process;
  const database = await startEmbedded({ dataDir: join(folder, 'data') });
  const { user, password, database: name, host, port } = database.target;
  // The box's user may not open PostgreSQL's socket.
  const door = createServer((inside) => {
    const outside = connect(join(host, `.s.PGSQL.${port}`));
    pipeline(inside, outside, inside, () => {});
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const address = door.address();
  const url = `postgres://${user}:${password}@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/${name}`;
  const boxed = (words: readonly string[]): string[] => [
    ...['--ro-bind', join(bundle, 'rootfs'), '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--unshare-user', '--unshare-pid', '--uid', '65532', '--gid', '65532'],
    ...['--die-with-parent', '--clearenv', '--chdir', cwd],
    ...[...env, 'HOST=127.0.0.1', 'PORT=0', `DATABASE_URL=${url}`].flatMap((each) => {
      const at = each.indexOf('=');
      return ['--setenv', each.slice(0, at), each.slice(at + 1)];
    }),
    ...words,
  ];
  try {
    const migrated = spawn('bwrap', boxed([args[0] ?? '', 'apps/server/src/commands/migrate.ts']), { stdio: 'ignore' });
    const code = await new Promise((resolve) => migrated.once('close', resolve));
    if (code !== 0) throw new Error(`migrate in the image ended with ${String(code)}`);
    const seconds = await tryServer(spawn('bwrap', boxed(args), { stdio: ['ignore', 'pipe', 'pipe'] }));
    return `ready in ${seconds} s`;
  } finally {
    door.close();
    await database.release();
  }
}

/** Waits for the ready line, asks for the pages and the state, and stops the server; returns the seconds until it was ready. */
async function tryServer(child: ChildProcess, ask = askHere): Promise<string> {
  const began = performance.now();
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0)),
  );
  const said: string[] = [];
  try {
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        if (stream)
          createInterface({ input: stream }).on('line', (line) => {
            said.push(line);
            const ready = READY.exec(line)?.[1];
            if (ready !== undefined) resolve(ready);
          });
      void ended.then((code) => reject(new Error(`${code}: ${said.join('\n')}`)));
      setTimeout(() => reject(new Error(`not ready in two minutes: ${said.join('\n')}`)), 120_000).unref();
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    for (const path of ['/', '/help', '/readyz', '/embed/timeslot-cancel.js']) await ask(`${url}${path}`);
    return seconds;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function askHere(url: string): Promise<void> {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`${url} replied ${status}`);
}

/** Installs a copy, builds its pages, removes what only development needs, and starts it where there is no network. */
async function startPruned(root: string, folder: string): Promise<string> {
  const copy = join(folder, 'copy');
  for (const path of must('git', ['ls-files', '-z'], { cwd: root }).split('\0').filter(Boolean))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
  const node = process.execPath;
  const build = "import('./tools/lib/setup.mjs').then(({ setUp }) => setUp({ pages: true }))";
  must(node, ['-e', build], { cwd: copy });
  must('npm', ['prune', '--omit=dev'], { cwd: copy });
  if (existsSync(join(copy, 'node_modules/vite'))) throw new Error('npm prune left vite');
  const env = { ...process.env, PORT: '3999', DATA_DIR: join(folder, 'pruned-data'), NPM_CONFIG_OFFLINE: 'true' };
  const alone = 'ip link set lo up && exec npm start';
  const child = spawn('unshare', ['-n', 'sh', '-c', alone], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const inside = (url: string): Promise<void> => {
    const script = `fetch(${JSON.stringify(url)}).then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(2))`;
    must('nsenter', ['-t', String(child.pid), '-n', node, '-e', script]);
    return Promise.resolve();
  };
  return `ready in ${await tryServer(child, inside)} s`;
}

const VALUES = ['publicUrl=https://schedule.clinic.example', 'trustProxy=10.0.0.0/8', 'existingSecret=scheduler'];

function tryHelm(root: string, folder: string): string {
  const chart = join(root, 'deploy/helm');
  must('go', ['install', HELM], { env: { ...process.env, GOBIN: folder, GOFLAGS: '-modcacherw' } });
  const helm = join(folder, 'helm');
  const set = VALUES.flatMap((each) => ['--set', each]);
  must(helm, ['lint', '--strict', chart, ...set]);
  const made = must(helm, [
    'template',
    'clinic',
    chart,
    '--kube-version',
    '1.30.0',
    ...set,
    '--set',
    'ingress.enabled=true',
  ]);
  const kinds = [...made.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind ?? '');
  if (kinds.length !== 6) throw new Error(`the chart makes ${kinds.join(', ')}`);
  if (spawnSync(helm, ['template', 'clinic', chart, '--kube-version', '1.30.0']).status === 0)
    throw new Error('without an address or a secret, the chart must be refused');
  return `${kinds.length} objects, ${must(helm, ['version', '--short']).trim()}`;
}

function tryCompose(root: string, folder: string): string {
  const place = join(folder, 'compose');
  mkdirSync(join(place, 'secrets'), { recursive: true });
  cpSync(join(root, 'deploy/compose.yaml'), join(place, 'compose.yaml'));
  cpSync(join(root, 'deploy/clinic-scheduler.env.example'), join(place, 'clinic-scheduler.env'));
  writeFileSync(join(place, 'secrets/database-password'), 'otter-lake-piano');
  must('docker-compose', ['-f', 'compose.yaml', 'config', '-q'], { cwd: place });
  return must('docker-compose', ['--version']).trim();
}

function trySbom(folder: string): string {
  const python = join(folder, 'python');
  must('python3', ['-m', 'venv', python]);
  must(join(python, 'bin/pip'), ['install', '-q', VALIDATOR]);
  const script = [
    'import sys',
    'from cyclonedx.schema import SchemaVersion',
    'from cyclonedx.validation.json import JsonStrictValidator',
    'text = open(sys.argv[1]).read()',
    'fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)',
    'sys.exit(str(fault) if fault else 0)',
  ].join('\n');
  const file = `${imageAt(folder)}.cdx.json`;
  must(join(python, 'bin/python'), ['-c', script, file]);
  const { components } = z.object({ components: z.array(z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8')));
  return `${components.length} components, valid CycloneDX 1.6`;
}
