import type { Issue } from '../../platform/errors/app-error.ts';
import { issueMessage, REQUIRED, unknownMember } from '../../platform/validation/issue-messages.ts';
import { keepIds } from './keep-ids.ts';
import { MAX_BLOCKS, MAX_CONTENT_BYTES } from './limits.ts';
import type { Block, RichNode, RichText } from './nodes.ts';
import { readBlocks } from './read-node.ts';
import { isObject, type Reading, unknownMembers } from './reading.ts';

export interface ReadOptions {
  /** Makes the ids of blocks and values that have none. */
  newId: () => string;
  /** The pointer of the content in the request, such as `/content`. */
  at?: string;
  /** The ids of the blocks in other sections of the story. */
  takenIds?: ReadonlySet<string>;
  /** The blocks of the section so far: a block without an id that equals one of them keeps its id. */
  known?: readonly Block[];
  /** Further checks of a live block or a value with valid attributes: of its chart or its format, for example. */
  check?: (node: RichNode, pointer: string) => readonly Issue[];
}

export type ReadRichText = { isValid: true; content: RichText } | { isValid: false; issues: Issue[] };

const MAX_ISSUES = 100;
const MEMBERS = ['type', 'content'];

/**
 * Validates the content of a section and brings it into its stored form: each block has an id, members and marks have
 * a fixed order, and attributes that mean nothing are left out. Reports every issue. Content without blocks becomes one
 * empty paragraph, as editors need one.
 */
export function readRichText(
  value: unknown,
  { newId, at = '', takenIds, known = [], check }: ReadOptions,
): ReadRichText {
  const issues: Issue[] = [];
  const reading: Reading = {
    newId,
    blockIds: new Set(takenIds),
    valueIds: new Set(),
    check: check ?? (() => []),
    // A hostile content can have a hundred thousand issues, of which few are reported.
    report: (issue) => {
      if (issues.length < MAX_ISSUES) issues.push(issue);
    },
  };
  const list = blocksOf(value, at, reading.report);
  if (!list) return { isValid: false, issues };
  const blocks = readBlocks(keepIds(list, known), `${at}/content`, reading);
  const content: RichText = { type: 'doc', content: blocks.length > 0 ? blocks : [emptyParagraph(newId())] };
  if (issues.length === 0 && sizeOf(content) > MAX_CONTENT_BYTES) {
    const message = `must be at most ${MAX_CONTENT_BYTES / 1024} KiB of JSON text; split the section`;
    issues.push({ pointer: at, code: 'MAX_BYTES', message });
  }
  return issues.length > 0 ? { isValid: false, issues } : { isValid: true, content };
}

export const emptyParagraph = (id: string): Block => ({ type: 'paragraph', attrs: { id } });

/** The bytes of a content as JSON text. */
export const sizeOf = (content: RichText): number => Buffer.byteLength(JSON.stringify(content));

/** The list of blocks of a document; undefined if it has none that can be read. */
function blocksOf(value: unknown, at: string, report: (issue: Issue) => void): unknown[] | undefined {
  if (!isObject(value)) {
    report({ pointer: at, ...issueMessage('type', { type: 'object' }) });
    return undefined;
  }
  for (const { name, pointer } of unknownMembers(value, MEMBERS)) {
    report({ pointer: at + pointer, ...unknownMember(name, MEMBERS) });
  }
  if (value.type !== 'doc') {
    const issue = value.type === undefined ? REQUIRED : issueMessage('const', { allowedValue: 'doc' });
    report({ pointer: `${at}/type`, ...issue });
  }
  // Editors leave out a list without items.
  const list = value.content ?? [];
  if (!Array.isArray(list)) {
    report({ pointer: `${at}/content`, ...issueMessage('type', { type: 'array' }) });
    return undefined;
  }
  if (list.length > MAX_BLOCKS) {
    report({ pointer: `${at}/content`, ...issueMessage('maxItems', { limit: MAX_BLOCKS }) });
    return undefined;
  }
  return list;
}
