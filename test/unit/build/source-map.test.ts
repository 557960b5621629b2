import { SourceMap } from 'node:module';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { withoutLibraryLines } from '../../../infra/build/source-map.ts';

/** A bundle of three modules, of which the one in the middle is a library's. */
async function bundled() {
  const files: Record<string, string> = {
    'first.ts': "export function first() {\n  return 'first';\n}",
    'node_modules/library/index.js': "export function library() {\n\n  return 'library';\n}",
    'last.ts':
      "import { first } from './first.ts';\nimport { library } from 'library';\n\nexport const last = () => first() + library() + 'last';",
  };
  const { outputFiles } = await build({
    entryPoints: ['last.ts'],
    outdir: '/out',
    bundle: true,
    write: false,
    format: 'esm',
    sourcemap: 'external',
    plugins: [
      {
        name: 'files',
        setup(on) {
          on.onResolve({ filter: /.*/ }, ({ path }) => ({
            path: path === 'library' ? '/src/node_modules/library/index.js' : `/src/${path.replace('./', '')}`,
          }));
          on.onLoad({ filter: /.*/ }, ({ path }) => ({ contents: files[path.slice('/src/'.length)]!, loader: 'ts' }));
        },
      },
    ],
  });
  const map = JSON.parse(outputFiles.find(({ path }) => path.endsWith('.map'))!.text);
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))!.text;
  const place = (word: string) => {
    const line = code.split('\n').findIndex((text) => text.includes(word));
    return [line, code.split('\n')[line]!.indexOf(word)] as const;
  };
  return { map, place };
}

describe('withoutLibraryLines', () => {
  it('keeps the place of every line of ours', async () => {
    const { map, place } = await bundled();
    const [whole, own] = [new SourceMap(map), new SourceMap(withoutLibraryLines(map))];
    for (const word of ['return "first"', 'last = ', '"last"']) {
      const entry = own.findEntry(...place(word));
      expect(entry).toMatchObject({ originalSource: expect.stringMatching(/(first|last)\.ts$/) });
      expect(entry).toEqual(whole.findEntry(...place(word)));
    }
  });

  it('has nothing about the lines of libraries', async () => {
    const { map, place } = await bundled();
    const own = withoutLibraryLines(map);
    expect(map.sources.join()).toContain('node_modules');
    expect(own.sources.join()).not.toContain('node_modules');
    expect(new SourceMap(own).findEntry(...place('return "library"'))).not.toHaveProperty(
      'originalSource',
      expect.any(String),
    );
  });
});
