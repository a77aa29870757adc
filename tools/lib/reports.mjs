// Reads the JSON reports of Vitest and Playwright into one form.

/**
 * @typedef {object} FileResult
 * @property {number} passed
 * @property {string[]} failures names of the tests that failed. A skipped test counts as failed, since it proves
 * nothing, and so does a file that could not be loaded.
 */

/**
 * @param {object} report what Vitest's `json` reporter writes
 * @returns {Map<string, FileResult>} by file
 */
export function vitestFiles(report) {
  return new Map(
    report.testResults.map((file) => {
      const failures = file.assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName }) => fullName);
      const unloaded = file.status === 'failed' && failures.length === 0 ? ['the file could not be loaded'] : [];
      return [
        file.name,
        { passed: file.assertionResults.length - failures.length, failures: [...failures, ...unloaded] },
      ];
    }),
  );
}

/**
 * @param {object} report what Playwright's `json` reporter writes
 * @returns {Map<string, FileResult>} by file; errors outside every file under `''`
 */
export function playwrightFiles(report) {
  const files = new Map();
  const add = (suite, titles) => {
    for (const spec of suite.specs ?? []) {
      const file = files.get(spec.file) ?? { passed: 0, failures: [] };
      files.set(spec.file, file);
      for (const { status } of spec.tests) {
        if (status === 'expected') file.passed++;
        else file.failures.push([...titles, spec.title].join(' '));
      }
    }
    for (const inner of suite.suites ?? []) add(inner, [...titles, inner.title]);
  };
  for (const suite of report.suites) add(suite, []);
  if (report.errors.length > 0) files.set('', { passed: 0, failures: ['an error outside the tests'] });
  return files;
}

/** The maximum number of failed files to run again; if more files fail, chance is not the cause. */
const AGAIN_AT_MOST = 3;

/**
 * @param {Map<string, FileResult>} files
 * @returns {string[]} the failed files to run once more; none if too many failed, or if an error was outside the tests
 */
export function filesToRepeat(files) {
  const failed = [...files].filter(([, { failures }]) => failures.length > 0).map(([file]) => file);
  return failed.length <= AGAIN_AT_MOST && !failed.includes('') ? failed : [];
}

/**
 * Joins the results of two runs. A file that passed in the second run, with as many tests as in the first, gets its new
 * result; every other file keeps its first result.
 * @param {Map<string, FileResult>} first
 * @param {Map<string, FileResult>} second
 * @returns {{ passed: number, failed: number, unsteady: string[] }} `unsteady`: tests that failed first and then passed
 */
export function settle(first, second) {
  const unsteady = [];
  const settled = [...first].map(([file, before]) => {
    const after = second.get(file);
    if (!after || after.failures.length > 0 || after.passed < before.passed + before.failures.length) return before;
    unsteady.push(...before.failures.map((name) => `${file}: ${name}`));
    return after;
  });
  const sum = (count) => settled.reduce((total, file) => total + count(file), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failures }) => failures.length), unsteady };
}
