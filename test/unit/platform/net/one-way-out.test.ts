import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');

/** Ways to send an HTTP request without the guard: Node's own clients, and the global `fetch`. */
const UNGUARDED = [
  /import \{[^}]*\b(request|get)\b[^}]*\} from 'node:https?'/,
  /import (\* as )?\w+ from 'node:https?'/,
  /'(node:http2|undici)'/,
  /(?<![.\w]|async )fetch\(/,
];

/** Scripts of pages, which browsers run. */
const IN_BROWSERS = ['platform/docs', 'platform/console', 'boards/pages'].map((group) =>
  join('functions', group, 'site'),
);

it('has one way out: nothing but the guarded request sends HTTP requests', () => {
  const sending = ['functions', 'shared']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith('.ts') && !IN_BROWSERS.some((folder) => path.startsWith(folder)))
    .filter((path) => {
      const source = readFileSync(join(ROOT, path), 'utf8');
      return UNGUARDED.some((way) => way.test(source));
    });
  expect(sending).toEqual([join('shared', 'platform', 'net', 'guarded-request.ts')]);
});
