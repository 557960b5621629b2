import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fingerprintOf } from '../infra/build/index.ts';

/** `npm test`: types and style are checked beside the tests, which often wait. Arguments go to vitest. */

const chosen = process.argv.slice(2);

/** Where the state of the local cloud is kept with which its tests passed. */
const LOCAL_CLOUD_PASSED = join(import.meta.dirname, '../node_modules/.cache/local-cloud-passed');

/** Where programs of npm are scripts of the shell. */
const shell = process.platform === 'win32';

/** Prints what a script of `package.json` says when it is over, so that its lines do not stand among those of the tests. */
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

async function vitestPasses(options: readonly string[]): Promise<boolean> {
  const child = spawn('vitest', ['run', ...options], { stdio: 'inherit', shell });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** The local cloud imports nothing of the product, so its tests run only if it has changed since they passed, and always in CI. */
async function testsPass(): Promise<boolean> {
  if (chosen.length > 0) return vitestPasses(chosen);
  const localCloud = await fingerprintOf(['packages/local-cloud', 'package-lock.json']);
  const passed = process.env.CI ? '' : await readFile(LOCAL_CLOUD_PASSED, 'utf8').catch(() => '');
  if (localCloud === passed) {
    console.log(
      'The local cloud has not changed since its tests passed; `npm test -w packages/local-cloud` runs them.',
    );
    return vitestPasses(['--project=!contract']);
  }
  if (!(await vitestPasses([]))) return false;
  await mkdir(dirname(LOCAL_CLOUD_PASSED), { recursive: true });
  await writeFile(LOCAL_CLOUD_PASSED, localCloud);
  return true;
}

const checks = passes('typecheck').then(async (passed) => (await passes('lint')) && passed);
const results = await Promise.all([testsPass(), checks]);
process.exitCode = results.every(Boolean) ? 0 : 1;
