import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asked, readsAt } from '../../../../functions/platform/console/site/shell/reads.ts';
import { bestMatch } from '../../../../functions/platform/console/site/ui/path.ts';
import { regroup } from '../../../../infra/build/console/regroup.ts';

describe('the screen of a path', () => {
  const screens = ['/', '/terms/new', '/terms/:id', '/terms/:type/:id'].map((path) => ({ path }));

  it.each([
    ['', '/', {}],
    ['/', '/', {}],
    ['/terms/new', '/terms/new', {}],
    ['/terms/1/', '/terms/:id', { id: '1' }],
    ['/terms/a/b', '/terms/:type/:id', { type: 'a', id: 'b' }],
    ['/terms', undefined, undefined],
    ['/constructor', undefined, undefined],
  ])('%s is at %s', (path, pattern, params) => {
    const found = bestMatch(screens, path);
    expect([found?.screen.path, found?.params]).toEqual([pattern, params]);
  });
});

it('the first requests follow from the address, as the client would write them', () => {
  const reads = {
    '/': () => [asked('/first')],
    '/terms/:id': ({
      params: { id },
      query: { q = '' },
    }: {
      params: Record<string, string>;
      query: Record<string, string>;
    }) => [asked(`/terms/${id}`, { ...(q && { q }), limit: 5, isOpen: true })],
  };
  const at = (pathname: string, search = '') => readsAt([reads], { pathname, search });
  expect(at('/api/console')).toEqual(['/first']);
  expect(at('/api/console/terms/a-1', '?q=a%20%26b&x=1')).toEqual(['/terms/a-1?q=a+%26b&limit=5&isOpen=true']);
  expect(at('/api/console/terms')).toEqual([]);
});

describe('the scripts of the console', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'regroup-'));
    const large = `export const large = ${JSON.stringify(Array.from({ length: 2_000 }, (_, index) => index))};`;
    const files = {
      'package.json': '{ "type": "module" }',
      // Evaluated once, however many modules import it.
      'state.ts': 'globalThis.made = (globalThis.made ?? 0) + 1; export const state = { count: 0 };',
      'shared.ts':
        "import { state } from './state.ts'; export function add() { state.count += 1; return state.count; }",
      'large.ts': large,
      'home.ts': "import { add } from './shared.ts'; export default () => add();",
      'other.ts':
        "import { add } from './shared.ts'; import { large } from './large.ts'; export default () => add() + large.length;",
      'third.ts':
        "import { state } from './state.ts'; import { large } from './large.ts'; export default () => [state.count, large.length];",
      'start.ts':
        "import { state } from './state.ts'; globalThis.screens = { home: () => import('./home.ts'), other: () => import('./other.ts'), third: () => import('./third.ts') }; state.count = 10;",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  });
  afterAll(() => rm(root, { recursive: true }));

  it('are few, share what they shared, and change their names together', async () => {
    const made = async () => {
      const built = await build({
        absWorkingDir: root,
        stdin: { contents: "import './start.ts';", resolveDir: root, loader: 'ts' },
        outdir: root,
        entryNames: 'console.[hash]',
        chunkNames: '[name].[hash]',
        write: false,
        bundle: true,
        splitting: true,
        format: 'esm',
        minify: true,
        metafile: true,
      });
      return { chunks: built.outputFiles.length, ...(await regroup(built, { home: 'home.ts' })) };
    };
    const { chunks, texts, scriptsOf } = await made();
    // The first, three screens, and what is too large to load at first.
    expect([chunks, texts.size]).toEqual([7, 5]);
    const first = scriptsOf('<stdin>');
    expect(first).toHaveLength(1);
    expect(scriptsOf('home.ts')).toEqual([expect.stringMatching(/^home\.[0-9a-f]{12}\.js$/), ...first]);
    expect(
      scriptsOf('other.ts')
        .map((name) => name.split('.')[0])
        .sort(),
    ).toEqual(['chunk', 'console', 'other']);
    for (const [name, text] of texts) await writeFile(join(root, name), text);
    await import(pathToFileURL(join(root, first[0]!)).href);
    type Screen = () => Promise<{ default: () => unknown }>;
    const { screens, made: evaluated } = globalThis as unknown as { screens: Record<string, Screen>; made: number };
    const show = async (name: string) => (await screens[name]!()).default();
    expect([await show('home'), await show('other'), await show('third')]).toEqual([11, 2012, [12, 2000]]);
    expect((globalThis as unknown as { made: number }).made).toBe(evaluated);
    await writeFile(join(root, 'home.ts'), "import { add } from './shared.ts'; export default () => add() + 1;");
    const next = await made();
    expect([...next.texts.keys()].filter((name) => texts.has(name))).toEqual([]);
  });
});
