import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../functions/api.ts';
import type { Access } from '../../functions/resources.ts';
import { WORKERS } from '../../functions/workers.ts';
import { budgetKb, bundleKb } from '../../infra/build/budget.ts';
import { type Bundle, findBundles } from '../../infra/build/bundles.ts';
import { bundlesBuilt, SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';
import { deployedStacks, ofType, type Resource } from '../support/templates.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Variables that Node.js and libraries read. */
const OF_THE_RUNTIME = ['NODE_OPTIONS', 'POWERTOOLS_LOG_LEVEL', 'UV_THREADPOOL_SIZE'];

/** The maximum size of what a page loads before it shows something, compressed. */
const MAX_PAGE_KB = 42;

const DECLARED: ReadonlyMap<string, Access> = new Map([
  ...GROUPS.map(({ name, resources }): [string, Access] => [name, resources]),
  ...WORKERS.map((worker): [string, Access] => [worker.name, worker]),
]);

/** What functions load on demand of their own code, which reads variables and calls AWS too. */
const OWN_MODULES = ['write-export'];

let bundles: Bundle[];
let runtime: Record<string, Resource>;
/** The code of each function by its name. */
const codes = new Map<string, string>();
beforeAll(async () => {
  await bundlesBuilt();
  bundles = await findBundles(ROOT);
  for (const { name, folder, file } of bundles) {
    const code = await readFile(join(ROOT, 'dist', folder, `${file}.mjs`), 'utf8');
    const parts = OWN_MODULES.filter((part) => code.includes(`import("./${part}.mjs")`));
    const more = parts.map((part) => readFile(join(ROOT, 'dist', folder, `${part}.mjs`), 'utf8'));
    codes.set(name, [code, ...(await Promise.all(more))].join('\n'));
  }
  ({ runtime } = await deployedStacks('every'));
}, SETUP_TIMEOUT_MS);

/** The operations of AWS services that a bundle can call. */
function operationsOf(name: string): Set<string> {
  return new Set(
    [...codes.get(name)!.matchAll(/extends [\w$]+\([\w$]+,[\w$]+,"(\w+)",/g)].map(([, operation]) => operation!),
  );
}

describe('the bundles', () => {
  it('are each within the budget, so that no function starts slowly', async () => {
    const sizes = await Promise.all(
      bundles.map(async (bundle) => ({
        name: bundle.name,
        kb: Math.round(await bundleKb(ROOT, bundle)),
        budgetKb: budgetKb(bundle),
      })),
    );
    expect(sizes.length).toBeGreaterThan(15);
    expect(sizes.filter(({ kb, budgetKb }) => kb > budgetKb)).toEqual([]);
  });

  it('of pages load fast at first: a script, a style sheet and the theme', async () => {
    const site = join(ROOT, 'dist/pages/site');
    const files = JSON.parse(await readFile(join(site, 'files.json'), 'utf8')) as Record<string, string>;
    const sizeOf = async (name: string) =>
      gzipSync(await readFile(join(site, 'assets', basename(files[name]!)))).length / 1024;
    const common = (await sizeOf('style')) + (await sizeOf('theme'));
    for (const page of ['dashboard', 'story', 'share', 'embed', 'sign-in', 'device', 'elsewhere'])
      expect(Math.round(common + (await sizeOf(page))), page).toBeLessThanOrEqual(MAX_PAGE_KB);
  });

  it('are those of the declared functions', () => {
    expect(bundles.map(({ name }) => name).sort()).toEqual([...DECLARED.keys()].sort());
  });

  it('read every variable of their functions, and none that a function lacks', () => {
    const variables = new Map<string, string[]>();
    for (const [, { Properties }] of ofType(runtime, 'AWS::Lambda::Function')) {
      const name = Properties.FunctionName.slice('AnalyticsRuntime-'.length);
      const own = Object.keys(Properties.Environment.Variables).filter((each) => !OF_THE_RUNTIME.includes(each));
      variables.set(name, own.sort());
    }
    const known = [...new Set([...variables.values()].flat())].sort();
    expect(known.length).toBeGreaterThan(15);
    for (const [name, own] of variables) {
      const code = codes.get(name.replace(/^(run-step)-\w+$/, '$1'))!;
      // As a string, a property or a member of a pattern, and not as a word of a message.
      const read = known.filter((variable) => new RegExp(`["'\`.{,]${variable}\\b`).test(code));
      expect(own, name).toEqual(read);
    }
  });

  it.each<[right: string, has: (access: Access) => boolean, operations: string[]]>([
    [
      'the table',
      ({ table }) => table !== undefined,
      ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'TransactWriteItems'],
    ],
    ['writes to the table', ({ table }) => /write/i.test(table ?? ''), ['PutItem', 'UpdateItem', 'TransactWriteItems']],
    ['secrets', ({ secrets }) => secrets !== undefined, ['GetParameter']],
    ['objects', ({ objects }) => objects !== undefined, ['GetObject', 'PutObject']],
    ['queues to send to', ({ sendsTo }) => sendsTo !== undefined, ['SendMessage', 'SendMessageBatch']],
    ['functions to invoke', ({ invokes }) => invokes !== undefined, ['Invoke']],
    ['machines to start', ({ startsMachines }) => startsMachines !== undefined, ['StartExecution']],
    ['machines to describe', ({ describesMachines }) => describesMachines !== undefined, ['DescribeStateMachine']],
    ['task tokens to return', ({ returnsTaskTokens }) => returnsTaskTokens !== undefined, ['SendTaskSuccess']],
  ])('can use %s where it is declared', (right, has, operations) => {
    const owners = [...DECLARED].filter(([, access]) => has(access)).map(([name]) => name);
    const able = [...DECLARED.keys()].filter((name) => operations.some((each) => operationsOf(name).has(each)));
    expect(owners.length).toBeGreaterThan(0);
    expect(owners.filter((name) => !able.includes(name))).toEqual([]);
    // A bundle may hold writes for parts of shared code that the function never calls; the rest of its code needs its
    // right.
    if (right !== 'writes to the table') expect(able.filter((name) => !owners.includes(name))).toEqual([]);
  });
});
