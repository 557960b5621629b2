import type { CalloutTone, RichNode } from '../rich-text/index.ts';

/** Short forms of nodes, so that the templates read like texts. */

const text = (value: string): RichNode => ({ type: 'text', text: value });
const italic = (value: string): RichNode => ({ type: 'text', marks: [{ type: 'italic' }], text: value });

export const heading = (value: string): RichNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: [text(value)],
});

export const paragraph = (value: string): RichNode => ({ type: 'paragraph', content: [text(value)] });

/** What the author is to write here. */
export const hint = (value: string): RichNode => ({ type: 'paragraph', content: [italic(value)] });

const list = (type: 'bulletList' | 'orderedList', items: readonly string[]): RichNode => ({
  type,
  content: items.map((item) => ({ type: 'listItem', content: [hint(item)] })),
});
export const bullets = (...items: string[]): RichNode => list('bulletList', items);
export const steps = (...items: string[]): RichNode => list('orderedList', items);

export const callout = (tone: CalloutTone, value: string): RichNode => ({
  type: 'callout',
  attrs: { tone },
  content: [hint(value)],
});

const cells = (type: 'tableHeader' | 'tableCell', values: readonly string[]): RichNode => ({
  type: 'tableRow',
  content: values.map((value) => ({
    type,
    content: [value === '' ? { type: 'paragraph' } : paragraph(value)],
  })),
});

export const table = (columns: readonly string[], ...rows: string[][]): RichNode => ({
  type: 'table',
  content: [cells('tableHeader', columns), ...rows.map((row) => cells('tableCell', row))],
});

/** A place for a card or a chart that is chosen when the template is used. */
export const slot = (label: string): RichNode => ({ type: 'liveBlock', attrs: { source: { kind: 'slot', label } } });
