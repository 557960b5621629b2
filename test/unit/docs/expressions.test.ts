import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expressionGuide } from '../../../infra/docs/expression-guide.ts';
import { FUNCTION_GROUPS, FUNCTION_NAMES } from '../../../shared/data/expressions/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/expressions.md'), 'utf8');

it('docs/expressions.md is what `npm run docs` writes', () => {
  expect(page).toBe(expressionGuide());
});

it('docs/expressions.md explains every function and its nulls', () => {
  for (const name of FUNCTION_NAMES) expect(page).toContain(`\`${name}(`);
  for (const { summary, nulls } of Object.values(FUNCTION_GROUPS).flat()) {
    expect(summary).toMatch(/^[A-Z].*\.$/s);
    expect(nulls).toMatch(/^[A-Z].*\.$/s);
  }
});
