import * as Type from 'typebox';
import type { ManagedBy } from '../../../platform/http/managed-by.ts';
import type { ObjectKind } from './kinds.ts';

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
  /** Keyed digests of the values that were last sent for the variables, by their names. */
  secretMarks?: Record<string, string>;
  /** The newest versions of flowlets at that time, by their series, where the file names no version. */
  follows?: Record<string, string>;
  /** Whether the object was deleted by its key. The record stays, so that no other object ever has the same id. */
  isDeleted?: true;
  /** The key that the object has instead. The record stays, as that of a deleted object does. */
  movedTo?: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}
