import type { TObject } from 'typebox';
import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { CalledGroup } from '../../common/operations.ts';

/** Where the operations of a kind are: `GET`, `POST`, `PATCH` and `DELETE` of a collection and its records. */
export interface ObjectPlace {
  group: CalledGroup;
  path: `/api/${string}`;
  /** For messages, such as `saved query`. */
  noun: string;
}

/** A kind of object that a team can keep as files. */
export interface DefinitionKind {
  kind: ObjectKind;
  /**
   * The members of a file, as the operations that create and change the object name them, in the order of a file. A
   * member that may be omitted has a default, because a file replaces the whole object.
   */
  members: TObject;
  /** The members that are ids of other objects, wherever they are in the object. A file has keys in their place. */
  references: Readonly<Record<string, ObjectKind>>;
}
