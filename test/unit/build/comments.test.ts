import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const COMMENT = /^\s*(\/\/(?! biome-ignore)|\*|\/\*)/;

it('comments fit the width of the code, which the formatter leaves to their authors', () => {
  const files = globSync('{functions,infra,packages,shared,test}/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/generated/**'],
  });
  const wide = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > 120 && COMMENT.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(wide).toEqual([]);
});
