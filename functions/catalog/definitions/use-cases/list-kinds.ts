import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import { fileName } from '../files/file-names.ts';
import { editorSchemaOf } from '../files/file-schema.ts';
import { KINDS } from '../kinds/index.ts';
import type { DefinitionKind } from '../kinds/kind.ts';
import { PLACES } from '../kinds/places.ts';

const referencesOf = ({ references, usesFlowlets }: DefinitionKind) => ({
  ...references,
  ...(usesFlowlets && { flowletId: 'flowlet' as const }),
});

export const listKinds = (only: ObjectKind | undefined) =>
  KINDS.filter(({ kind }) => only === undefined || kind === only).map((each) => ({
    kind: each.kind,
    noun: PLACES[each.kind].noun,
    references: [...new Set(Object.values(referencesOf(each)))],
    keyMembers: Object.fromEntries(
      Object.entries(referencesOf(each)).map(([member, target]) => [fileName(member), target]),
    ),
    schema: editorSchemaOf(each),
  }));
