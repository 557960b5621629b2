import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../../../shared/domains/stories/stories/index.ts';

const isSame = (one: string, other: string) => {
  const known = sentencesOf(other);
  return [...sentencesOf(one)].some((sentence) => known.has(sentence));
};

describe('the sentences of a text', () => {
  it.each([
    ['The south has grown by a half.', 'the SOUTH, has grown; by a half!'],
    ['Sales in the south fell to 1,250.', 'Sales in the south fell to 1,180.'],
    ['A sentence of one kind. Another of a different kind.', 'Mine.\nAnother of a different kind'],
    ['It was 40.', 'It was 40'],
    ['Der Süden ist um die Hälfte gewachsen.', 'Der Su\u0308den ist um die Ha\u0308lfte gewachsen'],
  ])('recognise %j in %j', (one, other) => expect(isSame(one, other)).toBe(true));

  it.each([
    ['It was 40.', 'It was 41.'],
    ['Yes. 40.', 'Yes. 40.'],
    ['The south has grown by a half.', 'The south has grown.'],
    ['', ''],
  ])('do not recognise %j in %j', (one, other) => expect(isSame(one, other)).toBe(false));
});
