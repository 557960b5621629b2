import type { DefinitionKind } from '../kinds/kind.ts';

/** The name that a member with ids has in a file, where it has keys: `source` for `sourceId`. */
export const fileName = (member: string): string => member.replace(/Ids$/, 's').replace(/Id$/, '');

/** The name of a member in a file, by its name in the API. */
export const namesInFile = ({ references }: DefinitionKind): ReadonlyMap<string, string> =>
  new Map(Object.keys(references).map((member) => [member, fileName(member)]));

/** The place in a file of an issue that an operation reports for a place in its body. */
export function pointerInFile(kind: DefinitionKind, pointer: string): string {
  const names = namesInFile(kind);
  const segments = pointer.split('/').map((segment) => names.get(segment) ?? segment);
  return segments.join('/');
}
