import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const UNIT = read('deploy/clinic-scheduler.service');
const IMAGE = read('deploy/Containerfile');
const OPERATIONS = read('docs/operations.md');
const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';

test('the unit runs what exists, in the folder and as the user that the document makes', () => {
  const [program, script] = valueOf('ExecStart').split(' ');
  expect(program).toMatch(/^\/usr\/bin\/node$/);
  expect(existsSync(join(ROOT, script ?? ''))).toBe(true);
  const user = valueOf('User');
  expect(user).not.toMatch(/^(root)?$/);
  expect(OPERATIONS).toMatch(new RegExp(`useradd .* ${user}\\b`));
  expect(valueOf('ReadWritePaths')).toBe(valueOf('WorkingDirectory'));
  for (const path of [valueOf('WorkingDirectory'), valueOf('EnvironmentFile')]) expect(OPERATIONS).toContain(path);
});

test('the unit leaves the server the time that it takes to stop', () => {
  const drain = /DRAIN_SECONDS: z\.optional\(number\(0, (\d+)\)/.exec(read('apps/server/src/config.ts'))?.[1];
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(Number(drain) + 10);
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
test.skipIf(!analyze)('systemd finds no fault in the unit, and little that it exposes', () => {
  const file = join(ROOT, 'deploy/clinic-scheduler.service');
  const run = (...args: string[]) => spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
  const verified = run('verify');
  // A machine without Node.js in /usr/bin is told so; everything else is a fault.
  const faults = `${verified.stdout}${verified.stderr}`
    .split('\n')
    .filter((line) => /clinic-scheduler/.test(line) && !/not executable|No such file/.test(line));
  expect(faults).toEqual([]);
  const exposed = /level for clinic-scheduler.service: ([\d.]+)/.exec(run('security', '--offline=true').stdout)?.[1];
  if (exposed !== undefined) expect(Number(exposed)).toBeLessThanOrEqual(1.5); // an older systemd does not rate files
});

test('the example of settings names settings that exist', () => {
  const names = [...read('deploy/clinic-scheduler.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(read('apps/server/src/config.ts')).toContain(`  ${name}:`);
});

test('the image installs, builds and starts with what exists, not as root, and asks the address that says it lives', () => {
  expect(IMAGE).toMatch(/^FROM node:24-/m);
  const users = [...IMAGE.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user);
  expect(users).toEqual(['node']);
  expect(IMAGE.indexOf('USER node')).toBeLessThan(IMAGE.indexOf('COPY'));
  const named = [...IMAGE.matchAll(/(?:"|'\.\/)(tools\/[\w./-]+\.mjs)/g)].map(([, path]) => path ?? '');
  expect(named).toEqual(['tools/lib/setup.mjs', 'tools/start.mjs']);
  for (const path of named) expect(existsSync(join(ROOT, path))).toBe(true);
  const [, start] = /^CMD (.*)$/m.exec(IMAGE) ?? [];
  expect(JSON.parse(start ?? '')).toEqual(['node', 'tools/start.mjs']);
  const port = /PORT=(\d+)/.exec(IMAGE)?.[1] ?? '';
  expect(IMAGE).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
  const [, check] = /^HEALTHCHECK .*?CMD (.*)$/m.exec(IMAGE) ?? [];
  expect(JSON.parse(check ?? '')).toEqual(
    expect.arrayContaining([expect.stringContaining(`http://127.0.0.1:${port}/healthz`)]),
  );
  expect(read('packages/contract/src/health.ts')).toContain("endpoint('GET', '/healthz'");
});

test('the chart and the compose file are of this version, and start what the image holds', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const chart = read('deploy/helm/Chart.yaml');
  expect([/^version: (.*)$/m, /^appVersion: (.*)$/m].map((line) => line.exec(chart)?.[1])).toEqual([version, version]);
  expect(read('deploy/compose.yaml')).toContain(`image: clinic-scheduler:${version}\n`);
  const [, migrate = ''] = /args: \[(\S+)\]/.exec(read('deploy/helm/templates/migrate.yaml')) ?? [];
  expect(existsSync(join(ROOT, migrate))).toBe(true);
  expect(read('deploy/helm/templates/deployment.yaml')).toMatch(/path: \/healthz[^]*path: \/readyz/);
});

test('a pod of the chart may do nothing but run, its secrets are named and not written, and its settings exist', () => {
  const pod = read('deploy/helm/templates/_helpers.tpl');
  for (const line of [
    'automountServiceAccountToken: false',
    'runAsNonRoot: true',
    'type: RuntimeDefault',
    'allowPrivilegeEscalation: false',
    'readOnlyRootFilesystem: true',
    'drop: [ALL]',
    'secretRef:',
  ])
    expect(pod).toContain(line);
  const charts = ['deployment', 'migrate'].map((name) => read(`deploy/helm/templates/${name}.yaml`));
  for (const text of charts) {
    expect(text).toContain('include "scheduler.pod"');
    expect(text).toContain('include "scheduler.container"');
    expect(text).not.toMatch(/privileged|hostNetwork|hostPath|hostPID/);
  }
  const settings = [...pod.matchAll(/- name: ([A-Z_]+)/g)].map(([, name]) => name);
  expect(settings).toEqual(['PUBLIC_URL', 'TRUST_PROXY', 'DRAIN_SECONDS', 'SOLVER_WORKERS']);
  const secrets = /keys? ([A-Z_]+);/.exec(read('deploy/helm/values.yaml'))?.[1] ?? '';
  for (const name of [...settings, secrets]) expect(read('apps/server/src/config.ts')).toContain(`  ${name}:`);
  // A server that is told to stop has time to finish.
  expect(read('deploy/helm/templates/deployment.yaml')).toContain('{{ add .Values.drainSeconds 15 }}');
});

test('nothing of this machine gets into the image: neither its data, nor its history, nor what was built here', () => {
  const ignored = read('deploy/Containerfile.dockerignore').split('\n');
  for (const name of ['.git', '.runtime', 'data', '**/node_modules', '**/dist']) expect(ignored).toContain(name);
});
