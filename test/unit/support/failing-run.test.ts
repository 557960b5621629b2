import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
// Below the modules, so that it finds vitest.
const folder = mkdtempSync(join(ROOT, 'node_modules/.failing-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['fails if a test fails, also after what the tests share was used', 2, 1],
  ['passes otherwise', 1, 0],
])('a run %s', async (_title, expected, code) => {
  const ask = pathToFileURL(join(ROOT, 'test/support/setup/ask.ts')).href;
  writeFileSync(
    join(folder, 'some.test.ts'),
    `import { expect, it } from 'vitest';
     import { sharedPostgres } from '${ask}';
     it('fails', async () => { await sharedPostgres(); expect(1).toBe(${expected}); });`,
  );
  const setup = join(ROOT, 'test/support/setup/global-setup.ts');
  const config = `export default { test: { include: ['*.test.ts'], globalSetup: [${JSON.stringify(setup)}] } };`;
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--root', folder], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([code, null]);
});
