import { invalid } from './scim-error.ts';

/** What a provisioning service may say of a person; what it leaves out stays as it is. */
export interface Draft {
  userName?: string;
  externalId?: string | null;
  email?: string;
  displayName?: string;
  /** The name in one piece where there is no `displayName`; Okta sends what it once read here, which may be old. */
  formatted?: string;
  givenName?: string;
  familyName?: string;
  active?: boolean;
  roles?: readonly string[];
}

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:user:';

/**
 * Reads a whole resource, or the value of an operation without a path. Attributes may be spelled in any case, and may be
 * paths themselves (`name.givenName`), as Entra sends them. What the scheduler does not keep is passed over, and so is
 * null: a name or an address that is not there leaves the one that is.
 */
export function readResource(value: unknown, draft: Draft = {}): Draft {
  for (const [name, each] of Object.entries(recordOf(value, 'a resource')))
    if (each !== null || ['active', 'externalid'].includes(keyOf(name))) setAttribute(draft, name, each);
  return draft;
}

/**
 * Reads the operations of a PATCH. Beside what the RFC says, it understands what Entra and Okta send: `Replace` in any
 * case, `"False"` as a text or in a list, no path but an object. An operation that it does not understand is refused,
 * so that nothing is taken for done that was not.
 * @param roles the roles that the person has now
 */
export function readPatch(body: unknown, roles: readonly string[]): Draft {
  const operations = fieldOf(recordOf(body, 'a patch'), 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalid('Operations: a list with at least one operation is needed.', 'invalidSyntax');
  const draft: Draft = {};
  for (const each of operations) {
    const operation = recordOf(each, 'an operation');
    const op = String(fieldOf(operation, 'op')).toLowerCase();
    const path = fieldOf(operation, 'path');
    const value = fieldOf(operation, 'value');
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw invalid('path: a text is needed.', 'invalidPath');
    if (op === 'remove') removeAttribute(draft, path ?? '', draft.roles ?? roles, value);
    else if (op !== 'add' && op !== 'replace')
      throw invalid(`op: '${op}' is not add, replace or remove.`, 'invalidSyntax');
    else if (path === undefined || path === null || path === '') readResource(value, draft);
    else if (op === 'add' && keyOf(path).split(/[.[]/, 1)[0] === 'roles')
      draft.roles = [...new Set([...(draft.roles ?? roles), ...textsOf(value)])];
    else setAttribute(draft, path, value);
  }
  return draft;
}

/** `active`, `name.givenname`, `emails[type eq "work"].value`, or an attribute of a schema with its name before it. */
const PATH = /^[a-z$][\w$.:-]*(\[[^\]]+\](\.[\w$]+)?)?$/;

const keyOf = (path: string): string => {
  const key = path.trim().toLowerCase();
  return key.startsWith(CORE) ? key.slice(CORE.length) : key;
};

function setAttribute(draft: Draft, path: string, value: unknown): void {
  const key = keyOf(path);
  const [name = ''] = key.split(/[.[]/, 1);
  if (!PATH.test(key)) throw invalid(`path: '${path.slice(0, 80)}' cannot be read.`, 'invalidPath');
  if (key === 'active') draft.active = booleanOf(value);
  else if (key === 'username') draft.userName = textOf(value, path);
  else if (key === 'externalid') draft.externalId = value === null || value === '' ? null : textOf(value, path);
  else if (key === 'displayname') draft.displayName = textOf(value, path);
  else if (key === 'name.formatted') draft.formatted = textOf(value, path);
  else if (key === 'name.givenname') draft.givenName = textOf(value, path);
  else if (key === 'name.familyname') draft.familyName = textOf(value, path);
  else if (key === 'name') {
    for (const [part, each] of Object.entries(recordOf(value, 'name'))) {
      if (each !== null && each !== '') setAttribute(draft, `name.${part}`, each);
    }
  } else if (name === 'emails') setEmail(draft, key, value);
  else if (name === 'roles') draft.roles = textsOf(value);
}

/** `emails`, `emails[type eq "work"]`, `emails[type eq "work"].value` … An address of another type is passed over. */
function setEmail(draft: Draft, key: string, value: unknown): void {
  const type = /^emails\[\s*type\s+eq\s+"([^"]*)"\s*\]/.exec(key)?.[1];
  if (type !== undefined && type !== 'work') return;
  if (/\.(?!value$)\w+$/.test(key)) return; // `.type`, `.primary`
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const given = list.map((each) => (isRecord(each) ? each : { value: each }));
  const flagged = (name: string, wanted: (flag: unknown) => boolean) =>
    given.find((each) => wanted(fieldOf(each, name)));
  const chosen =
    flagged('primary', (flag) => String(flag).toLowerCase() === 'true') ??
    flagged('type', (flag) => flag === 'work') ??
    given[0];
  if (chosen) draft.email = textOf(fieldOf(chosen, 'value'), 'emails');
}

function removeAttribute(draft: Draft, path: string, roles: readonly string[], value: unknown): void {
  const key = keyOf(path);
  const one = /^roles\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i.exec(path.trim())?.[1];
  if (one !== undefined) draft.roles = roles.filter((each) => each !== one);
  else if (key === 'roles' && value !== undefined && value !== null) {
    const gone = textsOf(value);
    draft.roles = roles.filter((each) => !gone.includes(each));
  } else if (key.split(/[.[]/, 1)[0] === 'roles') draft.roles = [];
  else if (key === 'externalid') draft.externalId = null;
  else if (key === '') throw invalid('path: needed to remove something.', 'noTarget');
  else if (['active', 'username', 'emails'].includes(key)) throw invalid(`${path} cannot be removed.`, 'mutability');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(`${what} must be an object.`, 'invalidSyntax');
  return value;
}

/** A field whatever the case of its name; undefined without one. */
const fieldOf = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(record).find(([key]) => key.toLowerCase() === name)?.[1];

/** A single value, which some services wrap in a list or an object with `value`. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1) return unwrapped(value[0]);
  return isRecord(value) && fieldOf(value, 'value') !== undefined ? unwrapped(fieldOf(value, 'value')) : value;
}

function booleanOf(value: unknown): boolean {
  const text = String(unwrapped(value)).toLowerCase();
  if (text !== 'true' && text !== 'false') throw invalid('active: true or false is needed.');
  return text === 'true';
}

function textOf(value: unknown, path: string): string {
  const text = unwrapped(value);
  if (typeof text !== 'string' || text.trim() === '' || text.length > 254)
    throw invalid(`${path}: a text of 1 to 254 characters is needed.`);
  return text.trim();
}

/** The values of a list of texts or of objects with `value`. Entra writes an app role as JSON in a text. */
function textsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : value === null || value === undefined || value === ''
      ? []
      : [value];
  return list.map((each) => {
    const outer = isRecord(each) ? fieldOf(each, 'value') : each;
    const inner = typeof outer === 'string' && outer.startsWith('{') ? parsed(outer) : outer;
    const text = isRecord(inner) ? fieldOf(inner, 'value') : inner;
    if (typeof text !== 'string') throw invalid('roles: texts, or objects with a value, are needed.');
    return text;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
