import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

async function vitestPasses(options: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn('vitest', ['run', ...options], {
    stdio: 'inherit',
    shell,
    env: { ...process.env, ...environment },
  });
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

/** More files than this do not fail by chance. */
const MAX_FILES_AGAIN = 10;

async function testsPass(): Promise<boolean> {
  if (chosen.length > 0) return vitestPasses(chosen);
  const { options, files, passed } = await unchangedSuites();
  const folder = await mkdtemp(join(tmpdir(), 'analytics-tests-'));
  const environment = {
    LEFT_OUT_TESTS: files.join(),
    FAILED_FILES: join(folder, 'failed.json'),
    // What tests run again have met counts with the rest.
    PROMISES_FILE: join(folder, 'promises.txt'),
  };
  try {
    const arePassed =
      (await vitestPasses([...REPEATS, ...options], environment)) || (await failedFilesPass(environment));
    if (arePassed) await passed();
    return arePassed;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Runs the files again in which a test has failed twice, from their set-up: what a test has made before it failed may
 * be in the way of its repetition.
 */
async function failedFilesPass(environment: NodeJS.ProcessEnv & { FAILED_FILES: string }): Promise<boolean> {
  const failed: string[] = JSON.parse(await readFile(environment.FAILED_FILES, 'utf8').catch(() => '[]'));
  if (failed.length === 0 || failed.length > MAX_FILES_AGAIN) return false;
  const list = failed.map((file) => `  ${file}\n`).join('');
  console.log(`\nThese files failed, and are run again from their set-up:\n${list}`);
  if (!(await vitestPasses([...failed, '--reporter=default'], environment))) return false;
  console.log(`\nThese files passed only when they were run again. They race, and need mending:\n${list}`);
  return true;
}

const checks = passes('typecheck').then(async (passed) => (await passes('lint')) && passed);
const results = await Promise.all([testsPass(), checks]);
process.exitCode = results.every(Boolean) ? 0 : 1;
