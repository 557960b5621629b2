import type { Block, RichNode, RichText } from '../../../../shared/data/rich-text/index.ts';

/** Short forms of nodes, so that the tests show what matters. */

export const text = (value: string, ...marks: (string | { type: string; attrs: object })[]): RichNode =>
  ({
    type: 'text',
    ...(marks.length > 0 && { marks: marks.map((mark) => (typeof mark === 'string' ? { type: mark } : mark)) }),
    text: value,
  }) as RichNode;

export const link = (href: string) => ({ type: 'link', attrs: { href } });

export const paragraph = (...content: (string | RichNode)[]): RichNode => ({
  type: 'paragraph',
  ...(content.length > 0 && { content: content.map((each) => (typeof each === 'string' ? text(each) : each)) }),
});

export const node = (type: string, ...content: RichNode[]): RichNode =>
  ({ type, ...(content.length > 0 && { content }) }) as RichNode;

export const withAttrs = (attrs: object, { type, ...rest }: RichNode): RichNode => ({
  type,
  attrs: attrs as Record<string, unknown>,
  ...rest,
});

export const block = (id: string, { type, attrs, ...rest }: RichNode): Block =>
  ({ type, attrs: { id, ...attrs }, ...rest }) as Block;

export const doc = (...content: RichNode[]): RichText => ({ type: 'doc', content: content as Block[] });

/** The ids `new-1`, `new-2` and so on. */
export function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `new-${count}`;
  };
}

export const SOME_ID = '0192f3c4-5d6e-7f80-9a1b-2c3d4e5f6071';

/** A content with every node and mark. */
export const EVERYTHING = doc(
  block('heading', withAttrs({ level: 1 }, node('heading', text('Weekly review')))),
  block(
    'words',
    paragraph(
      text('Plain, '),
      text('bold', 'bold'),
      text('all', link('https://example.com/?a=1&b=2'), 'bold', 'italic', 'strike'),
      node('hardBreak'),
      text('code', 'code'),
      withAttrs({ userId: SOME_ID, label: 'Ada' }, node('mention')),
      withAttrs({ groupId: SOME_ID }, node('mention')),
      withAttrs(
        { id: 'v1', source: { metricId: SOME_ID, compare: 'previous_period' }, format: ',.0f', written: '1,250' },
        node('value'),
      ),
      withAttrs(
        { id: 'v2', source: { blockId: 'live', measure: 'revenue', rowKey: { region: 'EMEA' } }, written: '7' },
        node('value'),
      ),
    ),
  ),
  block(
    'bullets',
    node('bulletList', node('listItem', paragraph('one'), node('bulletList', node('listItem', paragraph('inner'))))),
  ),
  block('numbers', withAttrs({ start: 3 }, node('orderedList', node('listItem', paragraph('three'))))),
  block('quote', node('blockquote', paragraph('quoted'))),
  block('callout', withAttrs({ tone: 'warning' }, node('callout', paragraph('mind')))),
  block(
    'table',
    node(
      'table',
      node('tableRow', node('tableHeader', paragraph('Region')), node('tableHeader', paragraph('Revenue'))),
      node(
        'tableRow',
        withAttrs({ colspan: 2, rowspan: 3, colwidth: [120, 80] }, node('tableCell', paragraph('none'))),
      ),
    ),
  ),
  block('code', withAttrs({ language: 'sql' }, node('codeBlock', text('SELECT 1\nFROM t')))),
  block('image', withAttrs({ src: 'https://example.com/a.png', alt: 'A chart', title: 'Chart' }, node('image'))),
  block('divider', node('divider')),
  block(
    'live',
    withAttrs(
      { source: { kind: 'card', dashboardId: SOME_ID, cardId: 'c1' }, title: 'Revenue', height: 8 },
      node('liveBlock'),
    ),
  ),
  block('chart', withAttrs({ source: { kind: 'chart', chartSpec: { version: 1 } } }, node('liveBlock'))),
  block('slot', withAttrs({ source: { kind: 'slot', label: 'The main metric' } }, node('liveBlock'))),
  block('empty', paragraph()),
);
