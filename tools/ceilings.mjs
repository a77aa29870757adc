// Counts the long functions, the type assertions and the needless spreads in production code: the counts may fall but
// never rise. Measures every file, tests too.
import { join, relative, sep } from 'node:path';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sourcesBelow } from './lib/imports.mjs';
import { ROOT } from './lib/paths.mjs';

/** The maximum length of a function, in lines. */
const LONGEST = 120;
/** A function with more lines than this counts as long. */
const LONG = 80;
/** The maximum number of lines in a file. */
const MOST_LINES = 400;
const MEASURED = ['apps', 'packages', 'bench', 'e2e', 'tools'];
/** The highest count that is allowed of each kind. When the actual count is lower, lower the number here. */
const CEILINGS = { long: 0, assertions: 192, spreads: 0 };

const NOT_PRODUCTION = /\.test\.tsx?$|\.d\.mts$|[/](testing|proof|dist)[/]|^packages[/]testkit[/]/;

/**
 * Finds the long functions (`tooLong`: beyond the limit), the type assertions and the spreads of a literal in the
 * production code under `root`.
 * @returns {{ tooLong: string[], long: string[], assertions: string[], spreads: string[] }} a line for each finding: where, and what it is
 */
export function countIn(root = ROOT) {
  const found = { tooLong: [], long: [], assertions: [], spreads: [] };
  for (const path of ['apps', 'packages'].flatMap((base) => sourcesBelow(join(root, base)))) {
    const name = relative(root, path).split(sep).join('/');
    if (NOT_PRODUCTION.test(name)) continue;
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    countInFile(source, name, found);
  }
  return found;
}

function countInFile(source, name, found) {
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
    const from = lineOf(node.getStart(source));
    if (ts.isFunctionLike(node) && node.body) {
      const lines = lineOf(node.end) - from + 1;
      const words = `${name}:${from}: a function of ${lines} lines`;
      if (lines > LONGEST) found.tooLong.push(words);
      if (lines > LONG) found.long.push(words);
    }
    if (isAssertion(node, name)) found.assertions.push(`${name}:${from}: ${node.getText(source).split('\n')[0]}`);
    if (isNeedlessSpread(node)) found.spreads.push(`${name}:${from}: ${node.getText(source).split('\n')[0]}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/**
 * Whether a node is `...{ a }` in an object or `...[a]` in an array, which only keeps the formatter from breaking the
 * line.
 */
function isNeedlessSpread(node) {
  if (ts.isSpreadAssignment(node)) return ts.isObjectLiteralExpression(node.expression);
  return (
    ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression) && ts.isArrayLiteralExpression(node.parent)
  );
}

/**
 * Whether a node is `x as T` or `x!`. `as const` does not count, since it only narrows a type. Nor does `x!` in the
 * engines, whose loops read arrays at indices known to exist.
 */
function isAssertion(node, name) {
  if (ts.isNonNullExpression(node)) return !/^packages[/](cover|weeks)-engine[/]/.test(name);
  return ts.isAssertionExpression(node) && !ts.isConstTypeReference(node.type);
}

/** A line for each file under `root` that is too long. */
export const longFiles = (root = ROOT) =>
  MEASURED.flatMap((base) => sourcesBelow(join(root, base))).flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n').length - 1;
    const name = relative(root, path).split(sep).join('/');
    return lines > MOST_LINES ? [`${name} has ${lines} lines; a file may have at most ${MOST_LINES}`] : [];
  });

/**
 * A line for each function or file that is too long, and for each count above its ceiling, followed by everything that was
 * counted.
 */
export function checkCeilings(root = ROOT, ceilings = CEILINGS) {
  const { tooLong, long, assertions, spreads } = countIn(root);
  const over = (what, list, most) =>
    list.length > most ? [`${list.length} ${what}; at most ${most} are allowed:`, ...list] : [];
  return [
    ...longFiles(root),
    ...tooLong.map((each) => `${each}; a function may have at most ${LONGEST}`),
    ...over(`functions of more than ${LONG} lines`, long, ceilings.long),
    ...over('type assertions', assertions, ceilings.assertions),
    ...over('spreads of a literal', spreads, ceilings.spreads),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = checkCeilings();
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exitCode = lines.length > 0 ? 1 : 0;
}
