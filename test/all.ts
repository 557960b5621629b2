import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** `npm test`: types and style are checked beside the tests, which often wait. Arguments go to vitest. */

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

async function testsPass(): Promise<boolean> {
  const child = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', shell });
  const [code] = await once(child, 'exit');
  return code === 0;
}

const checks = passes('typecheck').then(async (passed) => (await passes('lint')) && passed);
const results = await Promise.all([testsPass(), checks]);
process.exitCode = results.every(Boolean) ? 0 : 1;
