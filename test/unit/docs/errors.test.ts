import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorIndex, sentencesOf } from '../../../infra/docs/error-index.ts';
import { ERRORS } from '../../../shared/platform/errors/catalogue.ts';

const CODES = join(import.meta.dirname, '../../../shared/platform/errors/codes');

it('each code of the catalogue is in one area', async () => {
  const areas = readdirSync(CODES).map((file) => import(join(CODES, file)) as Promise<Record<string, object>>);
  const codes = (await Promise.all(areas)).flatMap((area) => Object.values(area).flatMap(Object.keys));
  expect(codes.sort()).toEqual(Object.keys(ERRORS).sort());
});

describe('docs/errors.md', () => {
  it('is what `npm run docs` writes', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8')).toBe(errorIndex());
  });

  it.each(Object.entries(ERRORS))('says what %s means and how to fix it', (_code, [, message]) => {
    for (const sentence of sentencesOf(message)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});
