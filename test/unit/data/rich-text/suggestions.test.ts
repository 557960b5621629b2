import { describe, expect, it } from 'vitest';
import {
  acceptSuggestion,
  blockText,
  findQuote,
  newAnchor,
  type RichNode,
  type RichText,
  reanchor,
  replaceText,
} from '../../../../shared/data/rich-text/index.ts';
import { block, doc, EVERYTHING, link, node, paragraph, SOME_ID, text, withAttrs } from './documents.ts';

const one = (...children: (string | RichNode)[]) => doc(block('p', paragraph(...children)));

function anchorIn(content: RichText, exact: string, prefix = '') {
  const found = findQuote(blockText(content.content[0]!).text, { exact, prefix });
  if (found.kind !== 'found') throw new Error(found.kind);
  return newAnchor({ sectionId: 's', blockId: content.content[0]!.attrs.id, start: found.start, quote: found.quote });
}

const replaced = (content: RichText, exact: string, replacement: string) => {
  const result = acceptSuggestion(content, anchorIn(content, exact), replacement);
  if (result.kind !== 'replaced') throw new Error(result.kind);
  return result.content;
};

describe('accepting a suggestion', () => {
  it('replaces the text and keeps what is around it', () => {
    expect(replaced(one('Revenue rose a lot.'), 'a lot', 'by 4 %')).toEqual(one('Revenue rose by 4 %.'));
    expect(replaced(one('Revenue rose a lot.'), ' a lot', '')).toEqual(one('Revenue rose.'));
    expect(replaced(one('All of it'), 'All of it', '')).toEqual(one());
  });

  it('gives the new text the marks of its first character', () => {
    const content = one('Plain ', text('bold', 'bold'), ' and ', text('linked', link('https://a.b'), 'italic'), ' end');
    expect(replaced(content, 'bold and link', 'X')).toEqual(
      one('Plain ', text('X', 'bold'), text('ed', link('https://a.b'), 'italic'), ' end'),
    );
    expect(replaced(content, 'Plain bold', 'Y')).toEqual(
      one('Y and ', text('linked', link('https://a.b'), 'italic'), ' end'),
    );
  });

  it('replaces mentions and values as a whole', () => {
    const value = withAttrs({ id: 'v', source: { metricId: SOME_ID }, written: '1,250' }, node('value'));
    expect(replaced(one('Sold ', value, ' units'), '250 un', 'many un')).toEqual(one('Sold many units'));
  });

  it('writes line breaks, in code as they are', () => {
    expect(replaced(one('a b'), 'a b', 'a\nb')).toEqual(one('a', node('hardBreak'), 'b'));
    const code = doc(block('c', node('codeBlock', text('SELECT 1'))));
    expect(replaced(code, 'SELECT 1', 'SELECT\n1')).toEqual(doc(block('c', node('codeBlock', text('SELECT\n1')))));
  });

  it('works within lists and over several of their items', () => {
    const list = (...items: RichNode[]) =>
      doc(block('l', node('bulletList', ...items.map((item) => node('listItem', item)))));
    const content = list(paragraph('first item'), paragraph('second item'), paragraph('third item'));
    expect(replaced(content, 'second', '2nd')).toEqual(
      list(paragraph('first item'), paragraph('2nd item'), paragraph('third item')),
    );
    expect(replaced(content, 'item\nsecond item\nthird', 'x')).toEqual(
      list(paragraph('first x'), paragraph(), paragraph(' item')),
    );
  });

  it('replaces the text that the suggestion is about, not an earlier one', () => {
    const content = one('Robin wrote it, and Robin sent it.');
    const anchor = anchorIn(content, 'Robin', 'and ');
    const accepted = acceptSuggestion(content, anchor, 'Ada');
    expect(accepted).toMatchObject({
      kind: 'replaced',
      content: one('Robin wrote it, and Ada sent it.'),
      place: { start: 'Robin wrote it, and '.length, quote: { exact: 'Ada' } },
    });
  });

  it('never overwrites a text that its author has not seen', () => {
    const before = one('Revenue rose by four percent in spring.');
    const after = one('Revenue rose by five percent in spring.');
    const [anchor] = reanchor(
      [anchorIn(before, 'rose by four percent')],
      [{ id: 's', content: before }],
      [{ id: 's', content: after }],
    );
    expect(acceptSuggestion(after, anchor!, 'fell')).toEqual({ kind: 'stale', current: 'rose by five percent' });
  });

  it('reports text that is gone or ambiguous', () => {
    const anchor = anchorIn(one('Revenue rose.'), 'rose');
    expect(acceptSuggestion(one('Revenue fell.'), anchor, 'x')).toEqual({ kind: 'gone' });
    expect(acceptSuggestion(doc(), anchor, 'x')).toEqual({ kind: 'gone' });
    expect(acceptSuggestion(one('Revenue rose.'), { ...anchor, state: 'orphaned' }, 'x')).toEqual({ kind: 'gone' });
    expect(acceptSuggestion(one('It rose and rose.'), anchor, 'x')).toEqual({ kind: 'ambiguous', count: 2 });
  });

  it('changes no other block', () => {
    const content = EVERYTHING as RichText;
    const next = replaceText(content, { blockId: 'quote', start: 0, end: 6, replacement: 'said' });
    expect(next.content.filter((each, index) => each !== content.content[index]).map(({ attrs }) => attrs.id)).toEqual([
      'quote',
    ]);
  });
});
