import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorIndex, sentencesOf } from '../../../infra/docs/error-index.ts';
import { ERRORS } from '../../../shared/platform/errors/catalogue.ts';

describe('docs/errors.md', () => {
  it('is what `npm run docs` writes', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8')).toBe(errorIndex());
  });

  it.each(Object.entries(ERRORS))('says what %s means and how to fix it', (_code, [, message]) => {
    for (const sentence of sentencesOf(message)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});
