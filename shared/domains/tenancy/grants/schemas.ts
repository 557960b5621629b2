import * as Type from 'typebox';
import { CursorPage, Id, idParams, Name, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { type LevelOf, OBJECT_KINDS, type ObjectType } from './object-kinds.ts';
import { GRANTEE_TYPES } from './records.ts';

/** The schemas of the access to one kind of object; `title` is its name in schemas, `noun` in sentences. */
export function accessSchemas<T extends ObjectType>(type: T, title: string, noun: string) {
  const level = StringEnum(OBJECT_KINDS[type].levels as unknown as readonly LevelOf<T>[], {
    description: 'Each level includes those before it.',
  });
  const Access = Type.Object(
    {
      granteeType: StringEnum(GRANTEE_TYPES),
      granteeId: Id,
      name: Name,
      email: Nullable(Type.String({ description: 'The address of a user; null for a group.' })),
      level,
      grantedBy: Id,
      grantedAt: Timestamp,
    },
    { $id: `${title}Access`, description: `What a user or a group may do with a ${noun}, whatever their role.` },
  );
  return {
    Access,
    AccessPage: CursorPage(Access, {
      $id: `${title}AccessPage`,
      description: 'A page of users and groups with access; `total` counts all of them.',
    }),
    SetAccess: Type.Object({ level }, { $id: `Set${title}Access`, description: 'The level to grant.' }),
    AccessParams: Type.Object({
      ...idParams(noun).properties,
      granteeType: StringEnum(GRANTEE_TYPES, { description: 'Whether a user or a group receives access.' }),
      granteeId: Type.String({ format: 'uuid', description: 'The id of the user or group.' }),
    }),
  };
}
