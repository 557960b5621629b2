import fc from 'fast-check';
import { type NodeSpec, Node as ProseMirrorNode, Schema } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { type RichText, readRichText } from '../../../../shared/data/rich-text/index.ts';
import { countedIds, EVERYTHING, SOME_ID } from './documents.ts';

const attrs = (...names: string[]): NodeSpec['attrs'] =>
  Object.fromEntries(['id', ...names].map((name) => [name, { default: null }]));
const inner = (content: string, ...names: string[]): NodeSpec => ({ content, attrs: attrs(...names) });

/** The schema that Tiptap and its kin build, with nodes for callouts, live blocks and values. */
const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', ...inner('inline*') },
    heading: { group: 'block', ...inner('inline*', 'level') },
    bulletList: { group: 'block', ...inner('listItem+') },
    orderedList: { group: 'block', ...inner('listItem+', 'start') },
    listItem: { content: 'paragraph block*' },
    blockquote: { group: 'block', ...inner('block+') },
    callout: { group: 'block', ...inner('block+', 'tone') },
    table: { group: 'block', ...inner('tableRow+') },
    tableRow: { content: '(tableCell | tableHeader)+' },
    tableCell: inner('block+', 'colspan', 'rowspan', 'colwidth'),
    tableHeader: inner('block+', 'colspan', 'rowspan', 'colwidth'),
    codeBlock: { group: 'block', marks: '', ...inner('text*', 'language') },
    image: { group: 'block', attrs: attrs('src', 'alt', 'title') },
    divider: { group: 'block', attrs: attrs() },
    liveBlock: { group: 'block', atom: true, attrs: attrs('source', 'title', 'height') },
    text: { group: 'inline' },
    hardBreak: { group: 'inline', inline: true },
    mention: { group: 'inline', inline: true, atom: true, attrs: attrs('userId', 'groupId', 'label') },
    value: { group: 'inline', inline: true, atom: true, attrs: attrs('source', 'format', 'written') },
  },
  marks: {
    link: { attrs: { href: {} } },
    bold: {},
    code: {},
    italic: {},
    strike: {},
  },
});

/** Loads a content into an editor, and returns what the editor would save, without the attributes that are not set. */
function throughEditor(content: unknown): unknown {
  const loaded = ProseMirrorNode.fromJSON(schema, content);
  loaded.check();
  return JSON.parse(JSON.stringify(loaded.toJSON()), (_name, value) => withoutUnset(value));
}

function withoutUnset(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('attrs' in value)) return value;
  const { attrs: given, ...rest } = value as { attrs: Record<string, unknown> };
  const set = Object.entries(given).filter(([, each]) => each !== null);
  return set.length === 0 ? rest : { ...rest, attrs: Object.fromEntries(set) };
}

const read = (value: unknown) => readRichText(value, { newId: countedIds() });

const accepted = (value: unknown): RichText => {
  const result = read(value);
  if (!result.isValid) throw new Error(JSON.stringify(result.issues));
  return result.content;
};

const MARKS = ['bold', 'italic', 'strike', 'code'] as const;

const text = fc
  .record({
    text: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' }),
    marks: fc.subarray([...MARKS]).map((types) => types.map((type) => ({ type }))),
  })
  .map(({ text: words, marks }) => ({ type: 'text', text: words, ...(marks.length > 0 && { marks }) }));
const inline = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.constant({ type: 'hardBreak' }),
  fc.constant({ type: 'mention', attrs: { userId: SOME_ID, label: 'Ada' } }),
);
const plainText = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' });

const { block } = fc.letrec<{ block: object; paragraph: object }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 2 });
  const items = fc.array(
    fc.tuple(tie('paragraph'), fc.array(tie('block'), { maxLength: 1 })).map(([first, rest]) => ({
      type: 'listItem',
      content: [first, ...rest],
    })),
    { minLength: 1, maxLength: 3 },
  );
  const cell = fc
    .constantFrom('tableCell', 'tableHeader')
    .chain((type) => blocks.map((content) => ({ type, content })));
  const row = fc.array(cell, { minLength: 1, maxLength: 2 }).map((content) => ({ type: 'tableRow', content }));
  return {
    paragraph: fc.array(inline, { maxLength: 4 }).map((content) => ({ type: 'paragraph', content })),
    block: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'blocks' },
      tie('paragraph'),
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), fc.array(inline, { maxLength: 3 }))
        .map(([level, content]) => ({ type: 'heading', attrs: { level }, content })),
      plainText.map((words) => ({ type: 'codeBlock', content: [{ type: 'text', text: words }] })),
      fc.constant({ type: 'divider' }),
      items.map((content) => ({ type: 'bulletList', content })),
      items.map((content) => ({ type: 'orderedList', attrs: { start: 3 }, content })),
      blocks.map((content) => ({ type: 'blockquote', content })),
      blocks.map((content) => ({ type: 'callout', attrs: { tone: 'info' }, content })),
      fc.array(row, { minLength: 1, maxLength: 2 }).map((content) => ({ type: 'table', content })),
    ),
  };
});
const documents = fc.array(block, { minLength: 1, maxLength: 6 }).map((content) => ({ type: 'doc', content }));

describe('accepted content', () => {
  it('has every node and mark in a stock schema of ProseMirror, unchanged', () => {
    const withoutValueIds = JSON.parse(JSON.stringify(accepted(EVERYTHING)));
    expect(() => ProseMirrorNode.fromJSON(schema, withoutValueIds).check()).not.toThrow();
  });

  it('loads into an editor, and is saved by it as it was', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const result = read(document);
        // A tree may be deeper than a section allows.
        fc.pre(result.isValid);
        const { content } = result as { content: RichText };
        const saved = throughEditor(content);
        expect(saved).toEqual(JSON.parse(JSON.stringify(content)));
        expect(accepted(saved)).toEqual(content);
      }),
      { numRuns: 300 },
    );
  });

  it('is never what the schema refuses', () => {
    const types = [...Object.keys(schema.nodes), 'iframe', 'script', '__proto__'];
    const hostile = fc
      .tuple(fc.constantFrom(...types), fc.constantFrom(...types), fc.option(block, { nil: undefined }))
      .map(([outer, within, child]) => ({
        type: 'doc',
        content: [{ type: outer, content: [{ type: within, ...(child && { content: [child] }) }] }],
      }));
    let refused = 0;
    fc.assert(
      fc.property(hostile, (document) => {
        const result = read(document);
        if (!result.isValid) {
          refused += 1;
          return;
        }
        ProseMirrorNode.fromJSON(schema, JSON.parse(JSON.stringify(result.content))).check();
      }),
      { numRuns: 600 },
    );
    expect(refused).toBeGreaterThan(300);
  });
});
