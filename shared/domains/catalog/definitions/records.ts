import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Nullable, StrictObject } from '../../../platform/http/schemas.ts';
import type { ObjectKind } from './kinds.ts';

/** The name of a folder of files, unique in the workspace. */
export const ProjectName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  description: 'The name of the project: of a folder of files, unique in the workspace.',
});

/** Where the file of an object is kept. */
export const ManagedBy = StrictObject(
  {
    project: ProjectName,
    path: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'The path of the file within the folder.',
    }),
    commit: Type.Union([Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9._/-]+$' }), Type.Null()], {
      default: null,
      description: 'The version of the folder that was deployed, such as the hash of a commit.',
    }),
  },
  { $id: 'ManagedBy', description: 'The file that an object is deployed from.' },
);
export type ManagedBy = Static<typeof ManagedBy>;

export const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 });

/** The state of an object when its file was last deployed, adopted or pulled. */
export interface AppliedState {
  /** Of the content. */
  digest: string;
  /** Of the bytes of the file that was sent. */
  fileDigest: string;
  /** The revision of the object, which has this content. */
  revision: number;
  at: string;
  by: string;
}

/** The key of an object, and what was last deployed to it. */
export interface DefinitionRecord {
  /** Made from kind and key, so that only one object has the key. */
  id: string;
  workspaceId: string;
  kind: ObjectKind;
  key: string;
  objectId: string;
  /** How many objects have had the key, one after the other. */
  generation: number;
  /** Null if a file was deployed without saying where it is kept. */
  managedBy: ManagedBy | null;
  applied: AppliedState;
  /** The variables that the file names in place of secrets. */
  secrets?: Record<string, unknown>;
  /** Whether the object was deleted by its key. The record stays, so that no other object ever has the same id. */
  isDeleted?: true;
  /** The key that the object has instead. The record stays, as that of a deleted object does. */
  movedTo?: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export const ShownManagedBy = Nullable(ManagedBy);
