import { expect, it } from 'vitest';
import { askMeaning, nearestTo, openAsked, sealAsked } from '../../../../functions/catalog/search/meaning/asked.ts';
import type { Meaning } from '../../../../functions/catalog/search/meaning/workspace-meaning.ts';
import { vectorOf } from '../../../../shared/domains/catalog/meaning/index.ts';

const vector = vectorOf(Int8Array.from({ length: 256 }, (_, index) => index - 128));
const meaning: Meaning = { model: 'small', nearest: () => ['a'] };
const visible = new Set(['a']);

it('what a search asked is the same on later pages, and says nothing to another model', async () => {
  const asked = await askMeaning(async () => vector, 'workspace', meaning, 'words');
  const again = openAsked(JSON.parse(JSON.stringify(sealAsked(asked))));
  expect(again).toEqual(asked);
  expect(nearestTo(again, meaning, visible)).toEqual({ nearest: ['a'], fallback: null });
  expect(nearestTo(again, { ...meaning, model: 'large' }, visible)).toEqual({ fallback: 'building' });
  expect(nearestTo(again, 'off', visible)).toEqual({ fallback: 'off' });
});

it('a search asks for no meaning without words, without a model, and without a vector', async () => {
  const asking = (...of: [Meaning | 'unsuitable', string | undefined]) =>
    askMeaning(async () => 'timeout', 'workspace', ...of);
  for (const [asked, fallback] of [
    [await asking(meaning, undefined), null],
    [await asking('unsuitable', 'words'), 'unsuitable'],
    [await asking('unsuitable', undefined), null],
    [await asking(meaning, 'words'), 'timeout'],
  ] as const) {
    expect(asked).toBe(fallback);
    expect(openAsked(sealAsked(asked))).toBe(fallback);
    expect(nearestTo(asked, meaning, visible)).toEqual({ fallback });
  }
});
