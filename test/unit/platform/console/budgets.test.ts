import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertBudgets } from '../../../../infra/build/console/budgets.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'budgets-'));
  // Random bytes cannot be compressed.
  for (const kb of [5, 20, 40]) await writeFile(join(root, `${kb}.js`), randomBytes(kb * 1024));
});
afterAll(() => rm(root, { recursive: true }));

const small = { scripts: ['5.js'], style: undefined };

it('a console within its budgets is built', async () => {
  const first = { scripts: ['20.js', '5.js'], style: '5.js' };
  await assertBudgets(root, { first, screens: { home: { scripts: ['5.js'], style: '5.js' } }, inputs: [] });
});

it('a build names every part that is too large, and every library that may not be there', async () => {
  const first = { scripts: ['40.js', '20.js', '5.js'], style: '20.js' };
  const screens = { home: { scripts: ['20.js'], style: '20.js' }, other: small };
  const inputs = ['node_modules/preact/dist/preact.mjs', 'node_modules/preact/compat/dist/compat.mjs'];
  await expect(assertBudgets(root, { first, screens, inputs })).rejects.toThrow(
    /scripts of the first load has 65\.\d KB; the budget is 60 KB\nthe style of the first load has 20\.\d KB.*\nthe screen home has 40\.\d KB; the budget is 25 KB\nnode_modules\/preact\/compat\/dist\/compat\.mjs may not be part of the console$/,
  );
});
