import type { DefinitionKind } from '../kinds/kind.ts';

/** The name that a member with ids has in a file, where it has keys or names: `source` for `sourceId`. */
export const fileName = (member: string): string => member.replace(/Ids$/, 's').replace(/Id$/, '');

/** The members with ids of objects, or of parts of a model. */
export const idMembers = ({ references, parts = {} }: DefinitionKind): string[] => [
  ...Object.keys(references),
  ...Object.keys(parts),
];

/** The place in a file of an issue that an operation reports for a place in its body. */
export function pointerInFile(kind: DefinitionKind, pointer: string): string {
  const names = new Set([...idMembers(kind), ...(kind.usesFlowlets ? ['flowletId'] : [])]);
  const inner = kind.inlined && `${pointer}/`.startsWith(`/${kind.inlined}/`) ? kind.inlined.length + 1 : 0;
  const segments = pointer.slice(inner).split('/');
  return segments.map((segment) => (names.has(segment) ? fileName(segment) : segment)).join('/');
}
