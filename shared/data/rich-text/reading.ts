import type { Issue } from '../../platform/errors/app-error.ts';
import { escapePointer } from '../../platform/validation/json-pointer.ts';
import type { RichNode } from './nodes.ts';

/** What is known while a content is read. */
export interface Reading {
  newId: () => string;
  blockIds: Set<string>;
  valueIds: Set<string>;
  check: (node: RichNode, pointer: string) => readonly Issue[];
  report: (issue: Issue) => void;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members beside the known ones, each with its pointer. */
export const unknownMembers = (value: object, known: readonly string[]): { name: string; pointer: string }[] =>
  Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, pointer: `/${escapePointer(name)}` }));

/** The issue of a block with the id of another one. */
export const repeatedId = (pointer: string): Issue => ({
  pointer,
  code: 'BLOCK_ID_REPEATED',
  message: 'is the id of another block of the story; omit it, and the block gets an id of its own',
});
