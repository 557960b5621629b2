import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { unchangedSuites } from './unchanged-suites.ts';

/**
 * `npm test`: types and style are checked beside the tests, which often wait. Arguments go to vitest; an area, such as
 * `boards`, stands for its folders.
 */

const chosen = process.argv.slice(2).flatMap(foldersOf);

/** Where programs of npm are scripts of the shell. */
const shell = process.platform === 'win32';

/**
 * Prints what a script of `package.json` says when it is over, so that its lines do not stand among those of the tests.
 */
async function passes(script: string): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'], shell });
  const [[code], ...said] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${code === 0 ? '' : said.join('')}npm run ${script}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`,
  );
  return code === 0;
}

async function vitestPasses(options: readonly string[], leftOut: readonly string[] = []): Promise<boolean> {
  const env = { ...process.env, LEFT_OUT_TESTS: leftOut.join() };
  const child = spawn('vitest', ['run', ...options], { stdio: 'inherit', shell, env });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** The folders of an area; whatever else is named stays as it is. */
function foldersOf(argument: string): string[] {
  if (!/^[a-z-]+$/.test(argument)) return [argument];
  const root = join(import.meta.dirname, '..');
  const folders = [`test/unit/${argument}/`, `test/api/${argument}/`, `test/${argument}/`, `packages/${argument}/`];
  const existing = folders.filter((folder) => existsSync(join(root, folder)));
  return existing.length > 0 ? existing : [argument];
}

/**
 * A whole run repeats a test that fails, once, and lists the tests that then pass: among thousands of tests on real
 * services one that races must be seen, but not hide what the others say. Chosen tests are not repeated.
 */
const REPEATS = ['--retry=1', '--reporter=default', '--reporter=./test/support/setup/races.ts'];

async function testsPass(): Promise<boolean> {
  if (chosen.length > 0) return vitestPasses(chosen);
  const { options, files, passed } = await unchangedSuites();
  if (!(await vitestPasses([...REPEATS, ...options], files))) return false;
  await passed();
  return true;
}

const checks = passes('typecheck').then(async (passed) => (await passes('lint')) && passed);
const results = await Promise.all([testsPass(), checks]);
process.exitCode = results.every(Boolean) ? 0 : 1;
