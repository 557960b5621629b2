import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { permissionMatrix } from '../../../infra/docs/permission-matrix.ts';

it('docs/permissions.md is what `npm run docs` writes', () => {
  expect(readFileSync(join(import.meta.dirname, '../../../docs/permissions.md'), 'utf8')).toBe(permissionMatrix());
});
