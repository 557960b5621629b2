import { type Key, workspaceKey } from '../../../../platform/storage/keys.ts';
import type { PartKind } from './definition.ts';

export interface ModelPlace {
  workspaceId: string;
  modelId: string;
}

/** A part of one generation of a model. */
export const partKey = ({ workspaceId, modelId }: ModelPlace, generation: string, kind: PartKind, id: string): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `${generation}#${kind}#${id}`);

/** A slice of the parts that a generation began with, in the order of keys before those that have changed since. */
export const baseKey = ({ workspaceId, modelId }: ModelPlace, generation: string, slice: number): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `${generation}#BASE#${String(slice).padStart(3, '0')}`);

/** The items of a generation: its base, and parts in the order of kind and id. */
export const generationKey = ({ workspaceId, modelId }: ModelPlace, generation: string): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `${generation}#`);

/** A slice of the compressed definition of a published version. */
export const snapshotKey = ({ workspaceId, modelId }: ModelPlace, version: number, slice: number): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `SNAPSHOT#${version}#${String(slice).padStart(2, '0')}`);

export const snapshotPrefix = ({ workspaceId, modelId }: ModelPlace, version: number): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `SNAPSHOT#${version}#`);

export const versionKey = ({ workspaceId, modelId }: ModelPlace, version: number): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `VERSION#${String(version).padStart(8, '0')}`);

/** What refers to a measure or a table; beside the parts of the model, so that it ends with them. */
export const partReferencesKey = ({ workspaceId, modelId }: ModelPlace, partId: string): Key =>
  workspaceKey(workspaceId, `MODEL#${modelId}`, `REFERENCES#${partId}`);
