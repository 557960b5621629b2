import { type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';

/** The names of nodes, marks and attributes are those of the API. Live blocks stand at the top level alone. */

const block = (spec: NodeSpec): NodeSpec => ({
  ...spec,
  group: 'block nested',
  attrs: { id: { default: null }, ...spec.attrs },
});

const isolated = { isolating: true, defining: true } as const;
const cell = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } };

const cellOf = (tag: 'td' | 'th'): NodeSpec => ({
  content: 'nested+',
  attrs: cell,
  isolating: true,
  parseDOM: [{ tag }],
  toDOM: ({ attrs }) => [tag, { colspan: attrs.colspan, rowspan: attrs.rowspan }, 0],
});

const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block*' },
  text: { group: 'inline' },
  paragraph: block({ content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] }),
  heading: block({
    content: 'inline*',
    defining: true,
    attrs: { level: { default: 2 } },
    // The page has the title of the story and those of the sections above these.
    parseDOM: [1, 2, 3].map((level) => ({ tag: `h${level + 2}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${(attrs.level as number) + 2}`, 0],
  }),
  bulletList: block({ content: 'listItem+', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] }),
  orderedList: block({
    content: 'listItem+',
    attrs: { start: { default: 1 } },
    parseDOM: [{ tag: 'ol' }],
    toDOM: ({ attrs }) => ['ol', { start: attrs.start }, 0],
  }),
  listItem: { content: 'paragraph nested*', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
  blockquote: block({
    content: 'nested+',
    ...isolated,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  }),
  callout: block({
    content: 'nested+',
    ...isolated,
    attrs: { tone: { default: 'info' } },
    parseDOM: [{ tag: 'aside', getAttrs: (element) => ({ tone: element.dataset.tone ?? 'info' }) }],
    toDOM: ({ attrs }) => ['aside', { 'data-tone': attrs.tone, class: 'callout' }, 0],
  }),
  codeBlock: block({
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    attrs: { language: { default: null } },
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', ['code', 0]],
  }),
  table: block({
    content: 'tableRow+',
    ...isolated,
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', ['tbody', 0]],
  }),
  tableRow: { content: '(tableCell | tableHeader)+', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] },
  tableCell: cellOf('td'),
  tableHeader: cellOf('th'),
  divider: block({ parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] }),
  image: block({
    attrs: { src: {}, alt: { default: '' }, title: { default: null } },
    atom: true,
    // The page loads nothing from other hosts.
    toDOM: ({ attrs }) => ['p', { class: 'atom' }, `Image: ${attrs.alt || attrs.src}`],
  }),
  liveBlock: {
    group: 'block',
    atom: true,
    draggable: true,
    attrs: { id: { default: null }, source: {}, title: { default: null }, height: { default: null } },
    toDOM: ({ attrs }) => ['div', { class: 'atom' }, attrs.title ?? 'Live block'],
  },
  hardBreak: {
    group: 'inline',
    inline: true,
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  mention: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { userId: { default: null }, groupId: { default: null }, label: { default: null } },
    toDOM: ({ attrs }) => ['span', { class: 'mention' }, `@${attrs.label ?? 'someone'}`],
  },
  value: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { id: {}, source: {}, format: { default: null }, written: {} },
    toDOM: ({ attrs }) => [
      'span',
      { class: 'value', title: 'A number that follows the data' },
      attrs.written as string,
    ],
  },
};

const wraps = (...tag: [string, ...string[]]): MarkSpec => ({
  parseDOM: tag.map((each) => ({ tag: each })),
  toDOM: (): DOMOutputSpec => [tag[0], 0],
});

const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { href: {} },
    inclusive: false,
    parseDOM: [{ tag: 'a[href]', getAttrs: (element) => ({ href: element.getAttribute('href') }) }],
    toDOM: ({ attrs }) => ['a', { href: attrs.href, rel: 'noopener noreferrer' }, 0],
  },
  bold: wraps('strong', 'b'),
  code: wraps('code'),
  italic: wraps('em', 'i'),
  strike: wraps('s', 'del'),
};

export const schema = new Schema({ nodes, marks });

interface Json {
  type: string;
  attrs?: Record<string, unknown>;
  content?: Json[];
  marks?: Json[];
  text?: string;
}

export interface Content {
  type: 'doc';
  content: Json[];
}

/** The content of a section as the API reads it: without what is left at its default, and with ids at the top level. */
export const contentOf = (doc: Node): Content => ({
  type: 'doc',
  content: doc.children.map((child) => written(child.toJSON() as Json, true)),
});

function written({ type, attrs = {}, content, marks: own, text }: Json, isTop: boolean): Json {
  const defaults = type === 'orderedList' ? { start: 1 } : type.startsWith('table') ? { colspan: 1, rowspan: 1 } : {};
  const kept = Object.entries(attrs).filter(
    ([name, value]) =>
      value !== null &&
      (defaults as Record<string, unknown>)[name] !== value &&
      (name !== 'id' || isTop || type === 'value'),
  );
  return {
    type,
    ...(kept.length > 0 && { attrs: Object.fromEntries(kept) }),
    ...(content && { content: content.map((each) => written(each, false)) }),
    ...(own && { marks: own }),
    ...(text !== undefined && { text }),
  };
}

export const docOf = (content: unknown): Node =>
  schema.nodeFromJSON((content as Content | null) ?? { type: 'doc', content: [] });
