import { describe, expect, it } from 'vitest';
import {
  type Block,
  MAX_BLOCKS,
  type RichNode,
  readRichText,
  sizeOf,
} from '../../../../shared/data/rich-text/index.ts';
import { block, countedIds, doc, EVERYTHING, link, node, paragraph, SOME_ID, text, withAttrs } from './documents.ts';

const read = (value: unknown, options: Partial<Parameters<typeof readRichText>[1]> = {}) =>
  readRichText(value, { newId: countedIds(), ...options });

function contentOf(value: unknown, options = {}) {
  const result = read(value, options);
  if (!result.isValid) throw new Error(JSON.stringify(result.issues));
  return result.content;
}

const issuesOf = (value: unknown, options = {}) => {
  const result = read(value, options);
  return result.isValid ? [] : result.issues.map(({ pointer, code }) => `${pointer} ${code}`);
};

const inParagraph = (child: unknown) => doc(block('p', paragraph(child as RichNode)));
const live = (source: object) => doc(block('l', withAttrs({ source }, node('liveBlock'))));

describe('valid content', () => {
  it('stays as it is with every node and mark', () => {
    expect(contentOf(EVERYTHING)).toEqual(EVERYTHING);
    expect(JSON.stringify(contentOf(EVERYTHING))).toBe(JSON.stringify(EVERYTHING));
  });

  it('gets ids for blocks and values that have none', () => {
    const value = { source: { metricId: SOME_ID }, written: '7' };
    const content = contentOf(doc(paragraph(withAttrs(value, node('value'))), block('own', paragraph())));
    expect(content).toEqual(
      doc(block('new-2', paragraph(withAttrs({ id: 'new-1', ...value }, node('value')))), block('own', paragraph())),
    );
  });

  it('keeps the ids of known blocks that are sent without ids', () => {
    const known = [block('a', paragraph('one')), block('b', paragraph('two')), block('c', paragraph('two'))] as Block[];
    const sent = doc(
      paragraph('two'),
      paragraph('two'),
      paragraph('two'),
      paragraph('one'),
      block('c', paragraph('x')),
    );
    const ids = contentOf(sent, { known }).content.map(({ attrs }) => attrs.id);
    expect(ids).toEqual(['b', 'new-1', 'new-2', 'a', 'c']);
  });

  it('leaves out what editors write by default', () => {
    const sent = doc({
      type: 'paragraph',
      attrs: { id: 'p', textAlign: null },
      content: [
        {
          type: 'text',
          text: 'x',
          marks: [
            { type: 'bold', attrs: {} },
            { type: 'link', attrs: { href: 'https://example.com', target: '_blank', rel: 'noopener', class: null } },
          ],
        },
      ],
      marks: [],
    } as unknown as RichNode);
    expect(contentOf(sent)).toEqual(doc(block('p', paragraph(text('x', link('https://example.com'), 'bold')))));
  });

  it('leaves out ids within blocks, which editors keep when they move a paragraph into a list', () => {
    const quote = (inner: RichNode) => doc(block('q', node('blockquote', inner, inner)));
    expect(contentOf(quote(block('p', paragraph('x'))))).toEqual(quote(paragraph('x')));
  });

  it('is the same whether or not an editor has written out defaults and split texts', () => {
    const cell = (attrs: object) =>
      doc(block('t', node('table', node('tableRow', withAttrs(attrs, node('tableCell', paragraph('x')))))));
    expect(contentOf(cell({ colspan: 1, rowspan: 1, colwidth: null }))).toEqual(contentOf(cell({})));
    expect(contentOf(doc(block('p', paragraph('a', 'b', text('c', 'bold'), text('d', 'bold')))))).toEqual(
      doc(block('p', paragraph('ab', text('cd', 'bold')))),
    );
  });

  it('is one empty paragraph if there is nothing', () => {
    expect(contentOf(doc())).toEqual(doc(block('new-1', paragraph())));
    expect(contentOf({ type: 'doc' })).toEqual(doc(block('new-1', paragraph())));
  });

  it('may be nested to the twelfth node, and has 500 blocks of 256 KiB together', () => {
    const nested = (depth: number): RichNode => (depth === 2 ? paragraph('x') : node('blockquote', nested(depth - 1)));
    expect(issuesOf(doc(nested(12)))).toEqual([]);
    expect(issuesOf(doc(nested(13)))).toEqual([`/content/0${'/content/0'.repeat(12)} MAX_DEPTH`]);
    const many = Array.from({ length: MAX_BLOCKS }, () => paragraph('x'));
    expect(issuesOf(doc(...many))).toEqual([]);
    expect(issuesOf(doc(...many, paragraph('x')))).toEqual(['/content MAX_ITEMS']);
    const large = (length: number) => doc(block('p', paragraph('é'.repeat(length))));
    const room = (262_144 - sizeOf(large(0) as never)) / 2;
    expect(issuesOf(large(Math.floor(room) - 20))).toEqual([]);
    expect(issuesOf(large(Math.floor(room) + 20), { at: '/content' })).toEqual(['/content MAX_BYTES']);
  });
});

describe('content with issues', () => {
  it('reports all of them, each with its place', () => {
    const sent = doc(
      { type: 'video' } as never,
      block('a', { ...paragraph(text('x', 'underline'), text('')), style: 'x' } as never),
      block('a', withAttrs({ level: 4, colour: 'red' }, node('heading'))),
      block('a b', paragraph(text('x', link('javascript:alert(1)')))),
    );
    expect(issuesOf(sent, { at: '/content' })).toEqual([
      '/content/content/0/type ENUM',
      '/content/content/1/style UNKNOWN_MEMBER',
      '/content/content/1/content/0/marks/0/type ENUM',
      '/content/content/1/content/1/text MIN_LENGTH',
      '/content/content/2/attrs/colour UNKNOWN_MEMBER',
      '/content/content/2/attrs/level MAXIMUM',
      '/content/content/2/attrs/id BLOCK_ID_REPEATED',
      '/content/content/3/content/0/marks/0/attrs/href LINK_NOT_ALLOWED',
      '/content/content/3/attrs/id PATTERN',
    ]);
  });

  it('reports at most a hundred of them', () => {
    const many = Array.from({ length: 300 }, () => paragraph(text('x', 'underline')));
    expect(issuesOf(doc(...many))).toHaveLength(100);
  });

  it('names the nearest known member', () => {
    const result = read(doc(block('c', withAttrs({ tune: 'info' }, node('callout', paragraph())))));
    expect(result).toMatchObject({
      issues: [
        { pointer: '/content/0/attrs/tone', message: 'is required' },
        { pointer: '/content/0/attrs/tune', message: 'Unknown member "tune"; did you mean "tone"?' },
      ],
    });
  });

  it('reports ids of other sections and repeated ids of values', () => {
    expect(issuesOf(doc(block('a', paragraph())), { takenIds: new Set(['a']) })).toEqual([
      '/content/0/attrs/id BLOCK_ID_REPEATED',
    ]);
    const value = withAttrs({ id: 'v', source: { metricId: SOME_ID }, written: '1' }, node('value'));
    expect(issuesOf(doc(block('a', paragraph(value, value))))).toEqual([
      '/content/0/content/1/attrs/id VALUE_ID_REPEATED',
    ]);
  });

  it('adds the issues of further checks of live blocks and values', () => {
    const check = ({ type }: RichNode, pointer: string) => [{ pointer, code: 'OWN', message: type }];
    expect(issuesOf(EVERYTHING, { check })).toEqual([
      '/content/1/content/7/attrs OWN',
      '/content/1/content/8/attrs OWN',
      '/content/10/attrs OWN',
      '/content/11/attrs OWN',
      '/content/12/attrs OWN',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['null', null, ' TYPE'],
    ['a list', [], ' TYPE'],
    ['a text', 'text', ' TYPE'],
    ['another node as root', { type: 'paragraph' }, '/type CONST'],
    ['a root without a type', { content: [] }, '/type REQUIRED'],
    ['further members of the root', { type: 'doc', marks: [] }, '/marks UNKNOWN_MEMBER'],
    ['content that is no list', { type: 'doc', content: { 0: 'x' } }, '/content TYPE'],
    ['a block that is no object', doc('x' as never), '/content/0 TYPE'],
    ['a block without a type', doc({} as never), '/content/0/type REQUIRED'],
    ['text as a block', doc(text('x')), '/content/0/type NODE_NOT_ALLOWED'],
    ['a document in a document', doc(doc() as never), '/content/0/type ENUM'],
    ['an item without a list', doc(node('listItem', paragraph())), '/content/0/type NODE_NOT_ALLOWED'],
    ['a list without items', doc(node('bulletList')), '/content/0/content MIN_ITEMS'],
    ['a paragraph as an item', doc(node('bulletList', paragraph())), '/content/0/content/0/type NODE_NOT_ALLOWED'],
    [
      'an item that begins with a list',
      doc(node('bulletList', node('listItem', node('bulletList', node('listItem', paragraph()))))),
      '/content/0/content/0/content/0/type NODE_NOT_ALLOWED',
    ],
    ['an empty table', doc(node('table')), '/content/0/content MIN_ITEMS'],
    ['an empty row', doc(node('table', node('tableRow'))), '/content/0/content/0/content MIN_ITEMS'],
    [
      'a live block within a quote',
      doc(node('blockquote', node('liveBlock'))),
      '/content/0/content/0/type NODE_NOT_ALLOWED',
    ],
    ['marks of a block', doc({ ...paragraph(), marks: [{ type: 'bold' }] }), '/content/0/marks MARK_NOT_ALLOWED'],
    ['marks in code', doc(node('codeBlock', text('x', 'bold'))), '/content/0/content/0/marks MARK_NOT_ALLOWED'],
    ['code with other marks', inParagraph(text('x', 'code', 'bold')), '/content/0/content/0/marks MARK_NOT_ALLOWED'],
    ['a mark twice', inParagraph(text('x', 'bold', 'bold')), '/content/0/content/0/marks UNIQUE_ITEMS'],
    ['six marks', inParagraph(text('x', ...Array(6).fill('bold'))), '/content/0/content/0/marks MAX_ITEMS'],
    ['marks that are no list', inParagraph({ ...text('x'), marks: {} }), '/content/0/content/0/marks TYPE'],
    ['a mark that is a text', inParagraph({ ...text('x'), marks: ['bold'] }), '/content/0/content/0/marks/0 TYPE'],
    ['a mark without a type', inParagraph({ ...text('x'), marks: [{}] }), '/content/0/content/0/marks/0/type REQUIRED'],
    [
      'a mark with a style',
      inParagraph(text('x', { type: 'bold', attrs: { style: 'x' } })),
      '/content/0/content/0/marks/0/attrs/style UNKNOWN_MEMBER',
    ],
    [
      'attributes of a mark that are no object',
      inParagraph(text('x', { type: 'bold', attrs: [] })),
      '/content/0/content/0/marks/0/attrs TYPE',
    ],
    [
      'further members of a mark',
      inParagraph({ ...text('x'), marks: [{ type: 'bold', on: 1 }] }),
      '/content/0/content/0/marks/0/on UNKNOWN_MEMBER',
    ],
    [
      'a link to nothing',
      inParagraph(text('x', { type: 'link', attrs: {} })),
      '/content/0/content/0/marks/0/attrs/href REQUIRED',
    ],
    [
      'a handler at a link',
      inParagraph(text('x', { type: 'link', attrs: { href: 'https://a.b', onclick: 'x' } })),
      '/content/0/content/0/marks/0/attrs/onclick UNKNOWN_MEMBER',
    ],
    ['a text without text', inParagraph(node('text')), '/content/0/content/0/text REQUIRED'],
    ['a text that is a number', inParagraph({ type: 'text', text: 1 }), '/content/0/content/0/text TYPE'],
    ['a control character', inParagraph(text('a\u0000b')), '/content/0/content/0/text PATTERN'],
    ['half a character', inParagraph(text('a\ud83d')), '/content/0/content/0/text PATTERN'],
    ['text of a node that has none', doc({ ...paragraph(), text: 'x' }), '/content/0/text UNKNOWN_MEMBER'],
    ['content of a node that has none', doc(node('divider', paragraph())), '/content/0/content MAX_ITEMS'],
    ['attributes that are a list', doc({ type: 'divider', attrs: [] } as never), '/content/0/attrs TYPE'],
    ['an id that is a number', doc(block(7 as never, paragraph())), '/content/0/attrs/id TYPE'],
    ['an id of another form', doc(block('-a', paragraph())), '/content/0/attrs/id PATTERN'],
    ['a heading without a level', doc(node('heading')), '/content/0/attrs/level REQUIRED'],
    ['an unknown tone', doc(withAttrs({ tone: 'loud' }, node('callout', paragraph()))), '/content/0/attrs/tone ENUM'],
    [
      'an image of another scheme',
      doc(withAttrs({ src: 'http://a.b/c.png', alt: 'x' }, node('image'))),
      '/content/0/attrs/src PATTERN',
    ],
    [
      'an image without a description',
      doc(withAttrs({ src: 'https://a.b/c.png' }, node('image'))),
      '/content/0/attrs/alt REQUIRED',
    ],
    ['a live block without a source', doc(node('liveBlock')), '/content/0/attrs/source REQUIRED'],
    ['a live block of an unknown kind', live({ kind: 'page' }), '/content/0/attrs/source/kind ENUM'],
    [
      'a card of a name',
      live({ kind: 'card', dashboardId: 'sales', cardId: 'c' }),
      '/content/0/attrs/source/dashboardId FORMAT',
    ],
    ['a slot without a label', live({ kind: 'slot' }), '/content/0/attrs/source/label REQUIRED'],
    [
      'a mention without a person',
      inParagraph(withAttrs({ label: 'x' }, node('mention'))),
      '/content/0/content/0/attrs/userId REQUIRED',
    ],
    [
      'a mention of two',
      inParagraph(withAttrs({ userId: SOME_ID, groupId: SOME_ID }, node('mention'))),
      '/content/0/content/0/attrs/userId UNKNOWN_MEMBER',
    ],
    [
      'a value without a source',
      inParagraph(withAttrs({ written: '1' }, node('value'))),
      '/content/0/content/0/attrs/source REQUIRED',
    ],
    [
      'a value of a row and a metric',
      inParagraph(
        withAttrs({ written: '1', source: { blockId: 'b', measure: 'm', metricId: SOME_ID } }, node('value')),
      ),
      '/content/0/content/0/attrs/source/metricId UNKNOWN_MEMBER',
    ],
    [
      'a value that was never written',
      inParagraph(withAttrs({ source: { metricId: SOME_ID } }, node('value'))),
      '/content/0/content/0/attrs/written REQUIRED',
    ],
    [
      'a value of an open key',
      inParagraph(
        withAttrs({ written: '1', source: { blockId: 'b', measure: 'm', rowKey: { a: [] } } }, node('value')),
      ),
      '/content/0/content/0/attrs/source/rowKey/a TYPE',
    ],
  ])('rejects %s', (_name, sent, issue) => {
    expect(issuesOf(sent)).toEqual([issue]);
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'https://a.b/\nx',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://a.b',
    'tel:123',
    '//a.b',
    '/d/1',
    'a.b',
    'https://',
    'https:a.b',
    'blob:https://a.b/1',
  ])('rejects the link %j', (href) => {
    expect(issuesOf(inParagraph(text('x', link(href))))).toEqual([
      '/content/0/content/0/marks/0/attrs/href LINK_NOT_ALLOWED',
    ]);
  });

  it.each(['https://a.b/c?d=e#f', 'http://a.b', 'mailto:ada@example.com', 'HTTPS://A.B'])(
    'accepts the link %j',
    (href) => {
      expect(issuesOf(inParagraph(text('x', link(href))))).toEqual([]);
    },
  );
});
