// Checks every import against the zones described in ARCHITECTURE.md. A file's path decides its zone, so a new feature
// is checked from its first file; a file outside every zone is refused. Files must not import each other in a circle,
// not even for types.
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesIn } from './lib/circles.mjs';
import { importsOf, sourcesBelow } from './lib/imports.mjs';
import { ROOT } from './lib/paths.mjs';

/** What stands below every room of the server. */
const GROUND = ['server/access', 'server/platform', 'server/db', 'server/base', 'contract', 'domain'];
/** The rooms that know a day, from the lowest up: each may read those before it. */
const DAY = ['server/people', 'server/day/facts', 'server/tell/memory', 'server/ledgers/count', 'server/day'];
const PLAN = ['server/plan/problem', 'server/tell/lines', 'server/plan/absences', 'server/plan/commits'];
const ENGINE = ['cover-engine', 'weeks-engine', 'server/solver'];
/** What the rooms that plan weeks read. */
const WEEKS = ['server/http', ...ENGINE, 'server/weeks/problem', 'server/plan/options', ...PLAN, ...DAY, ...GROUND];
/** A room with routes that reads the day and nothing beside it. */
const ROOM = { may: ['server/http', ...DAY, ...GROUND] };

/** The server's rooms, from the lowest up. A room may read only what it names, and no room names one above it. */
const ROOMS = {
  'server/people': { may: GROUND },
  'server/day/facts': { may: [...DAY.slice(0, 1), ...GROUND] },
  'server/tell/memory': { may: [...DAY.slice(0, 2), ...GROUND] },
  'server/ledgers/count': { may: [...DAY.slice(0, 3), ...GROUND] },
  'server/day': { may: [...DAY.slice(0, 4), ...GROUND] },
  'server/plan/problem': { may: ['cover-engine', ...DAY, ...GROUND] },
  'server/tell/lines': { may: ['cover-engine', ...PLAN.slice(0, 1), ...DAY, ...GROUND] },
  'server/plan/absences': { may: ['server/http', ...PLAN.slice(0, 2), ...DAY, ...GROUND] },
  'server/plan/commits': { may: ['server/http', 'cover-engine', ...PLAN.slice(0, 2), ...DAY, ...GROUND] },
  'server/plan/options': { may: ['server/http', ...ENGINE, ...PLAN, ...DAY, ...GROUND] },
  'server/tell/calls': { may: ['server/http', ...ENGINE, 'server/plan/options', ...PLAN, ...DAY, ...GROUND] },
  'server/tell/own-day': { may: ['server/http', 'server/tell/calls', ...PLAN, ...DAY, ...GROUND] },
  'server/tell/history': { may: ['server/http', 'server/tell/lines', ...DAY, ...GROUND] },
  'server/weeks/problem': { may: [...DAY, ...GROUND] },
  'server/weeks/closures': { may: ['server/http', ...PLAN.slice(0, 2), ...DAY, ...GROUND] },
  'server/weeks/leave': { may: ['server/http', ...PLAN, ...DAY, ...GROUND] },
  'server/weeks/standing': { may: WEEKS },
  'server/weeks/times': { may: ['server/book', ...WEEKS] },
  'server/weeks/makeup': { may: ['server/book', 'server/ledgers/pages', ...WEEKS] },
  'server/ledgers/pages': ROOM,
  'server/ledgers/reports': ROOM,
  'server/ledgers/causes': ROOM,
  'server/book': ROOM,
  'server/profiles': ROOM,
  'server/import': ROOM,
  'server/admin': ROOM,
  'server/session': ROOM,
  'server/scim': { may: ['server/sign-on', 'server/admin', ...ROOM.may] },
  'server/sign-on': { may: ['server/session', 'server/admin', ...ROOM.may] },
  'server/calendar': ROOM,
  'server/today': ROOM,
  'server/timeslots': ROOM,
  'server/auditor': { may: ['server/import', 'server/tell/history', ...ROOM.may] },
  'server/records': { may: ['server/http', 'server/weeks/problem', ...DAY, ...GROUND] },
};
const ALL_ROOMS = Object.keys(ROOMS);

/**
 * What each zone may import besides itself. `packages`: the outside packages that the zone may import; when left out,
 * every package in its package.json. `node`: whether Node's own modules are allowed. A zone that ends in `/*` stands
 * for each folder at that path; those folders may not import each other.
 */
const ZONES = {
  domain: { may: [], packages: [], node: false },
  contract: { may: ['domain'], packages: ['zod'], node: false },
  'cover-engine': { may: ['domain'], packages: ['highs'], node: false },
  'weeks-engine': { may: ['domain', 'cover-engine'], packages: ['highs'], node: false },
  testkit: { may: ['domain', 'contract', 'cover-engine'] },
  'server/base': { may: ['domain', 'contract'] },
  'server/db': { may: ['server/base', 'domain', 'contract'] },
  'server/platform': { may: ['server/db', 'server/base', 'domain', 'contract'] },
  'server/access': { may: GROUND },
  'server/http': { may: GROUND },
  'server/solver': { may: ['cover-engine', 'weeks-engine', 'domain', 'server/platform', 'server/base'] },
  ...ROOMS,
  'server/commands': { may: [...ALL_ROOMS, ...ENGINE, 'server/http', ...GROUND] },
  'server/root': { may: [...ALL_ROOMS, 'server/solver', 'server/http', ...GROUND] },
  'server/testing': { may: ['server/root', ...ALL_ROOMS, ...ENGINE, 'testkit', 'server/http', ...GROUND] },
  'web/routes': { may: ['web/workspace', 'web/features/*', 'web/shared', 'contract', 'domain'], node: false },
  'web/features/*': { may: ['web/shared', 'contract', 'domain'], node: false },
  // The workspace combines features on the calendar: it may import them, and none of them may import it.
  'web/workspace': { may: ['web/features/*', 'web/shared', 'contract', 'domain'], node: false },
  'web/shared': { may: ['contract', 'domain'], node: false },
  'web/testing': { may: ['web/root', 'web/shared', 'contract', 'domain'], node: false },
  'web/root': { may: ['web/routes', 'web/features/*', 'web/shared', 'contract', 'domain'], node: false },
  embed: { may: ['domain'], types: ['contract'], node: false },
  e2e: { may: ['domain', 'contract', 'testkit'] },
  bench: {
    may: [
      'domain',
      'contract',
      'cover-engine',
      'testkit',
      'e2e',
      'server/testing',
      'server/solver',
      'server/db',
      'server/platform',
      'server/base',
    ],
  },
  // Tools that run before anything is installed may use the server's files in plain JavaScript.
  tools: { may: ['server/base'] },
};
/** The zones that tests may import in addition to those that their own zone may import. */
const TESTS_MAY = [
  'web/testing',
  'testkit',
  'domain',
  'contract',
  'server/testing',
  'server/solver',
  'server/root',
  'cover-engine',
];
/** Files in the server's top folder that may import little; the other files there put the application together. */
const SERVER_BASE = ['config.ts', 'role-mapping.ts', 'start-error.ts', 'lock-file.mjs'];

/**
 * Checks every import under `root`.
 * @returns {string[]} a line for each import that the zones do not allow, and for each circle of imports
 */
export function checkBoundaries(root = ROOT) {
  const files = ['packages', 'apps', 'e2e', 'bench', 'tools']
    .flatMap((base) => sourcesBelow(join(root, base)))
    .map((path) => ({ path, name: nameOf(root, path), imports: importsOf(path) }));
  const targets = files.map((file) => [file.name, file.imports.flatMap((each) => targetOf(root, file.path, each))]);
  return [
    ...files.flatMap((file) => checkFile(root, file)),
    ...circlesIn(new Map(targets)).map((circle) => `${circle.join(' → ')}: these files import each other in a circle`),
  ];
}

function nameOf(root, path) {
  return relative(root, path).split(sep).join('/');
}

/** Finds the files in the repository that an import refers to: one, or none for an outside package. */
function targetOf(root, path, { specifier }) {
  if (specifier?.startsWith('.')) return [nameOf(root, resolve(dirname(path), specifier))];
  const own = specifier?.startsWith('@clinic/') && zoneOfPackage(specifier);
  return own ? [`packages/${own.name}/src/index.ts`] : [];
}

function checkFile(root, { path, name, imports }) {
  const zone = zoneOf(name);
  if (!zone) return [`${name}: this folder has no place in the architecture (ARCHITECTURE.md, tools/boundaries.mjs)`];
  return imports.flatMap(({ specifier, typeOnly, line }) => {
    const why =
      specifier === undefined
        ? 'a dynamic import with a computed target cannot be checked'
        : refusal(root, path, zone, specifier, typeOnly);
    return why ? [`${name}:${line}: ${why}`] : [];
  });
}

/** Why `zone` may not import `specifier`; undefined when it may. */
function refusal(root, path, zone, specifier, typeOnly) {
  const rule = ZONES[zone.kind];
  const test = isTest(path);
  if (specifier.startsWith('.') || specifier.startsWith('@clinic/')) {
    const target = specifier.startsWith('.')
      ? zoneOf(nameOf(root, resolve(dirname(path), specifier)))
      : zoneOfPackage(specifier);
    if (!target) return `${specifier} cannot be imported`;
    if (target.id === zone.id) return undefined;
    if (specifier.startsWith('.') && target.workspace !== zone.workspace && !['bench', 'tools'].includes(zone.kind))
      return `${specifier} reaches into another workspace`;
    const allowed = [...rule.may, ...(typeOnly ? (rule.types ?? []) : []), ...(test ? TESTS_MAY : [])];
    // Tests set up what they need with any part of the server.
    if (test && zone.workspace === 'server' && target.workspace === 'server') return undefined;
    if (['server/testing', 'web/testing'].includes(target.id) && !test && zone.kind !== 'bench')
      return `${specifier} is only for tests`;
    if (target.kind === 'testkit' && !test && !['e2e', 'bench', 'server/testing'].includes(zone.kind))
      return `${specifier} is only for tests`;
    return allowed.includes(target.kind)
      ? undefined
      : `${zone.id} may not import ${target.id}${rule.types?.includes(target.kind) ? ', except as types' : ''}`;
  }
  if (specifier.startsWith('/')) return undefined; // the path is a URL that the server serves
  const isNode = specifier.startsWith('node:') || builtinModules.includes(specifier);
  if (test) return undefined;
  if (isNode)
    return rule.node === false && !isBuildScript(path)
      ? `${zone.id} may not import ${specifier}: this zone must run anywhere`
      : undefined;
  const packageName = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return rule.packages && !rule.packages.includes(packageName) ? `${zone.id} may not import ${packageName}` : undefined;
}

function isTest(path) {
  return /\.test\.tsx?$/.test(path) || /[/\\](proof|testing)[/\\]/.test(path);
}

function isBuildScript(path) {
  return /[/\\]apps[/\\]\w+[/\\][\w.-]+\.(ts|mjs)$/.test(path);
}

function zoneOf(name) {
  const parts = name.split('/');
  const zone = (kind, workspace, detail) => ({
    kind,
    workspace,
    name: detail,
    id: detail ? kind.replace('*', detail) : kind,
  });
  const [base, second, , fourth, fifth] = parts;
  if (base === 'packages') return ZONES[second] ? zone(second, second) : undefined;
  if (['e2e', 'bench', 'tools'].includes(base)) return zone(base, base);
  if (base !== 'apps') return undefined;
  if (second === 'embed') return zone('embed', 'embed');
  if (second === 'web') {
    if (parts.length <= 4 || fourth === 'styles') return zone('web/root', 'web');
    if (fourth === 'features' && parts.length > 5)
      return fifth === 'workspace' ? zone('web/workspace', 'web') : zone('web/features/*', 'web', fifth);
    return ['routes', 'shared', 'testing'].includes(fourth) ? zone(`web/${fourth}`, 'web') : undefined;
  }
  if (second !== 'server') return undefined;
  if (parts.length <= 4) return zone(SERVER_BASE.includes(fourth) ? 'server/base' : 'server/root', 'server');
  if (fourth === 'testing' || fourth === 'reliability') return zone('server/testing', 'server');
  const inner = `server/${fourth}/${fifth}`;
  const kind = parts.length > 5 && ZONES[inner] ? inner : `server/${fourth}`;
  return ZONES[kind] ? zone(kind, 'server') : undefined;
}

function zoneOfPackage(specifier) {
  const [name] = specifier.slice('@clinic/'.length).split('/');
  return ['domain', 'contract', 'cover-engine', 'weeks-engine', 'testkit'].includes(name)
    ? { kind: name, id: name, name, workspace: name }
    : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = checkBoundaries();
  for (const line of violations) process.stdout.write(`${line}\n`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
