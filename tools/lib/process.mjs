import { spawn } from 'node:child_process';
import { basename, delimiter, dirname, join } from 'node:path';
import { RUNTIME } from './paths.mjs';

/** An error that stops a tool; the user sees only its message. */
export class ToolError extends Error {}

/** Prints a line of progress on standard error, because standard output belongs to the command that is run. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** An environment in which `node` comes first on the path and keeps its compiled code for the next start. */
export function withNode(node, env = process.env) {
  return {
    NODE_COMPILE_CACHE: join(RUNTIME, 'compile-cache'),
    ...env,
    PATH: `${dirname(node)}${delimiter}${env.PATH ?? ''}`,
  };
}

/**
 * Runs a program to its end and collects its output.
 * @returns {Promise<{code: number, output: string}>} the output of both streams, in order
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (chunk) => {
      output += chunk;
      options.onOutput?.(String(chunk));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: 127, output: output + error.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), output }));
  });
}

/** Runs npm with the given Node: the npm that started this tool, or else the npm on the PATH. */
export function runNpm(node, args, options = {}) {
  const env = withNode(node, { ...process.env, ...options.env });
  // Removes variables set by the npm that started us: they would send this npm to the wrong folder.
  for (const name of ['npm_config_local_prefix', 'npm_config_prefix', 'npm_config_global_prefix', 'INIT_CWD'])
    delete env[name];
  const script = process.env.npm_execpath;
  return script && basename(script) === 'npm-cli.js'
    ? run(node, [script, ...args], { ...options, env })
    : run('npm', args, { ...options, env });
}

/** The last non-empty lines of a program's output, which usually say what went wrong. */
export function lastLines(output, count = 12) {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n');
}

/** The first non-empty lines of a program's output: npm prints the error first and its usage afterwards. */
export function firstLines(output, count = 12) {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, count)
    .join('\n');
}
