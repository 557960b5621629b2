import { describe, expect, it } from 'vitest';
import { rebased } from '../../../../functions/platform/console/site/screens/stories/text/rebase.ts';

const block = (id: string, text = id) => ({ type: 'paragraph', attrs: { id }, text });
const texts = (blocks: readonly { text: string }[]) => blocks.map(({ text }) => text);

describe('what was typed while the API merged', () => {
  const sent = [block('a'), block('b'), block('c')];

  it('keeps changed, added and removed blocks, and takes all others from the merge', () => {
    const merged = [block('a', 'a of others'), block('b', 'b of others'), block('n', 'new of others'), block('c')];
    const local = [block('a'), block('b', 'b of mine'), block('m', 'new of mine')];
    expect(texts(rebased(local, sent, merged))).toEqual(['a of others', 'b of mine', 'new of mine', 'new of others']);
  });

  it('changes nothing if neither side did', () => {
    expect(rebased(sent, sent, sent)).toEqual(sent);
  });

  it('keeps what others removed only if it was changed here', () => {
    const merged = [block('a')];
    const local = [block('a'), block('b', 'b of mine'), block('c')];
    expect(texts(rebased(local, sent, merged))).toEqual(['a', 'b of mine']);
  });

  it('puts a new first block first', () => {
    expect(texts(rebased([block('m'), ...sent], sent, sent))).toEqual(['m', 'a', 'b', 'c']);
  });
});
