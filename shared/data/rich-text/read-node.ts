import * as Type from 'typebox';
import {
  type IssueMessage,
  issueMessage,
  REQUIRED,
  unknownMember,
  unknownVariant,
} from '../../platform/validation/issue-messages.ts';
import { hasShape } from '../../platform/validation/shape-issues.ts';
import { BlockId } from './attributes.ts';
import { CONTENT_RULES, type ContentRule } from './content-rules.ts';
import { joinTexts } from './join-texts.ts';
import { MAX_DEPTH } from './limits.ts';
import { BLOCK_TYPES, type Block, INLINE_TYPES, type NodeType, PART_TYPES, type RichNode } from './nodes.ts';
import { readAttributes } from './read-attributes.ts';
import { readMarks } from './read-marks.ts';
import { isObject, type Reading, repeatedId, unknownMembers } from './reading.ts';

const ALL_TYPES: readonly string[] = [...BLOCK_TYPES, ...PART_TYPES, ...INLINE_TYPES];
const TOP: ContentRule = { allowed: BLOCK_TYPES };
const MEMBERS = ['type', 'attrs', 'content', 'marks'] as const;
const INLINE = new Set<NodeType>(INLINE_TYPES);

/** Reads the blocks of the top level; those without an id get one. */
export function readBlocks(list: readonly unknown[], at: string, reading: Reading): Block[] {
  return list.flatMap((value, index) => {
    const pointer = `${at}/${index}`;
    const { id, rest } = takeId(value);
    const node = readNode(rest, TOP, pointer, 1, reading);
    const blockId = readId(id, `${pointer}/attrs/id`, reading);
    if (!node) return [];
    const { type, attrs, ...inner } = node;
    return [{ type, attrs: { id: blockId, ...attrs }, ...inner } as Block];
  });
}

/** Separates the id of a block from its other attributes. */
function takeId(value: unknown): { id: unknown; rest: unknown } {
  if (!isObject(value) || !isObject(value.attrs)) return { id: undefined, rest: value };
  const { id, ...attrs } = value.attrs;
  return { id, rest: { ...value, attrs } };
}

/**
 * Only blocks of the top level have ids. Editors keep the id of a paragraph that becomes part of a list or a quote, and
 * repeat it when the paragraph is split.
 */
function withoutId(type: NodeType, attrs: unknown): unknown {
  if (INLINE.has(type) || !isObject(attrs)) return attrs;
  const { id: _id, ...others } = attrs;
  return others;
}

function readId(given: unknown, pointer: string, { newId, blockIds, report }: Reading): string {
  if (given === undefined || given === null) return newId();
  if (!hasShape(BlockId, given)) {
    report({ pointer, ...issueMessage(typeof given === 'string' ? 'pattern' : 'type', { ...BlockId }) });
    return '';
  }
  if (blockIds.has(given)) report(repeatedId(pointer));
  blockIds.add(given);
  return given;
}

/** The stored form of a node; undefined if it cannot be read any further. */
function readNode(
  value: unknown,
  rule: ContentRule,
  at: string,
  depth: number,
  reading: Reading,
): RichNode | undefined {
  const fail = (place: string, issue: IssueMessage) => void reading.report({ pointer: `${at}${place}`, ...issue });
  if (!isObject(value)) return fail('', issueMessage('type', { type: 'object' }));
  if (depth > MAX_DEPTH) return fail('', { code: 'MAX_DEPTH', message: `is nested deeper than ${MAX_DEPTH} nodes` });
  const type = readType(value.type, rule, fail);
  if (!type) return undefined;
  for (const { name, pointer } of unknownMembers(value, type === 'text' ? [...MEMBERS, 'text'] : MEMBERS)) {
    fail(pointer, unknownMember(name, MEMBERS));
  }
  const isInline = INLINE.has(type);
  const attrs = readAttributes(type, withoutId(type, value.attrs), at, reading);
  const content = readContent(type, value.content, at, depth, reading);
  const marks = readMarks(value.marks, isInline && !rule.isPlain, `${at}/marks`, reading.report);
  return {
    type,
    ...(attrs && { attrs }),
    ...(content.length > 0 && { content }),
    ...(marks.length > 0 && { marks }),
    ...(type === 'text' && { text: readText(value.text, fail) }),
  };
}

function readType(
  given: unknown,
  rule: ContentRule,
  fail: (place: string, issue: IssueMessage) => void,
): NodeType | undefined {
  if (typeof given === 'string' && (rule.allowed as readonly string[]).includes(given)) return given as NodeType;
  if (given === undefined) fail('/type', REQUIRED);
  else if (typeof given !== 'string' || !ALL_TYPES.includes(given)) fail('/type', unknownVariant(given, rule.allowed));
  else {
    const message = `must not be ${given} here; allowed are ${rule.allowed.join(', ')}`;
    fail('/type', { code: 'NODE_NOT_ALLOWED', message });
  }
  return undefined;
}

function readContent(type: NodeType, given: unknown, at: string, depth: number, reading: Reading): RichNode[] {
  const rule = CONTENT_RULES[type];
  const list = given ?? [];
  const fail = (place: string, issue: IssueMessage) =>
    void reading.report({ pointer: `${at}/content${place}`, ...issue });
  if (!Array.isArray(list)) {
    fail('', issueMessage('type', { type: 'array' }));
    return [];
  }
  if (!rule) {
    if (list.length > 0) fail('', issueMessage('maxItems', { limit: 0 }));
    return [];
  }
  if (list.length < (rule.min ?? 0)) fail('', issueMessage('minItems', { limit: rule.min }));
  const nodes = list.map((item, index) => readNode(item, rule, `${at}/content/${index}`, depth + 1, reading));
  if (rule.first !== undefined && nodes[0] && nodes[0].type !== rule.first) {
    fail('/0/type', { code: 'NODE_NOT_ALLOWED', message: `must be ${rule.first}: a ${type} begins with one` });
  }
  return joinTexts(nodes.filter((node) => node !== undefined));
}

/** XML, and so office files, cannot contain other control characters. */
const Text = Type.String({
  pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ud800-\\udfff\\ufffe\\uffff]*$',
});

function readText(given: unknown, fail: (place: string, issue: IssueMessage) => void): string {
  if (given === undefined) fail('/text', REQUIRED);
  else if (typeof given !== 'string') fail('/text', issueMessage('type', { type: 'string' }));
  else if (given === '') fail('/text', issueMessage('minLength', { limit: 1 }));
  else if (!hasShape(Text, given)) fail('/text', { code: 'PATTERN', message: 'must not contain control characters' });
  else return given;
  return '';
}
