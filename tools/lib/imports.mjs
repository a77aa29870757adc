import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Every import in a file: declarations, `export … from`, `import()` of values and types, `require`, `new URL(…,
 * import.meta.url)`.
 */
export function importsOf(path) {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, specifier, typeOnly) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    found.push({
      specifier: textOf(specifier, source),
      typeOnly,
      line,
    });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(node, node.argument.literal, true);
    else if (ts.isCallExpression(node) && isImportCall(node)) add(node, node.arguments[0], false);
    else if (
      ts.isNewExpression(node) &&
      node.expression.getText(source) === 'URL' &&
      node.arguments?.[1]?.getText(source) === 'import.meta.url'
    ) {
      const [target] = node.arguments;
      if (ts.isStringLiteralLike(target) && /\.[cm]?[jt]sx?$/.test(target.text)) add(node, target, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The specifier of an import: its own text, or the text of a constant in the same file. */
function textOf(specifier, source) {
  if (specifier && ts.isStringLiteralLike(specifier)) return specifier.text;
  if (!specifier || !ts.isIdentifier(specifier)) return undefined;
  const constants = source.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => [...each.declarationList.declarations]);
  const value = constants.find((each) => each.name.getText(source) === specifier.text)?.initializer;
  return value && ts.isStringLiteralLike(value) ? value.text : undefined;
}

function isTypeImport(node) {
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((each) => each.isTypeOnly)
  );
}

function isImportCall(node) {
  return (
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === 'require')
  );
}

/** The source files in a folder and its subfolders. */
export function sourcesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'public', 'test-results', 'playwright-report'].includes(entry.name)) return [];
    if (entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /\.([cm]?ts|tsx|mjs|js)$/.test(entry.name) ? [path] : [];
  });
}
