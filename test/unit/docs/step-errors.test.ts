import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STEP_ERRORS } from '../../../shared/domains/pipelines/definition/retry.ts';

it('docs/pipelines-operating.md explains every code of a failed step', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/pipelines-operating.md'), 'utf8');
  const [, section = ''] = page.split('\n## Why a step failed\n');
  const explained = [...section.split('\n## ')[0]!.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
  expect(explained.sort()).toEqual([...STEP_ERRORS].sort());
});
