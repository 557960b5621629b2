import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { suggestion } from '../../../../shared/platform/validation/names.ts';
import type { ModelFinder, PartKind } from '../kinds/kind.ts';

/** Finds keys and ids. */
export interface Names extends ModelFinder {
  /** The id itself for an object without a key. */
  keyOf(kind: ObjectKind, id: string): Promise<string>;
  /** Undefined for a key that no object has. */
  idOf(kind: ObjectKind, key: string): Promise<string | undefined>;
  /** The parts of a model, by kind. */
  partsOf(modelId: string): Promise<ModelParts>;
  /** The series and the number of a version of a flowlet; undefined if it is retired. */
  flowletOf(versionId: string): Promise<FlowletVersion | undefined>;
  /** A version of a flowlet; the newest one without a number. Undefined for a number that it does not have. */
  flowletVersion(seriesId: string, version?: number): Promise<string | undefined>;
}

/** A version of a flowlet. */
export interface FlowletVersion {
  seriesId: string;
  version: number;
  isNewest: boolean;
}

/** The names of parts by their ids. */
export type ModelParts = Readonly<Record<PartKind, ReadonlyMap<string, string>>>;

export const idsByName = (parts: ModelParts): Record<PartKind, Map<string, string>> =>
  Object.fromEntries(
    Object.entries(parts).map(([kind, names]) => [kind, new Map([...names].map(([id, name]) => [name, id]))]),
  ) as Record<PartKind, Map<string, string>>;

export const unknownKey = (pointer: string, target: ObjectKind, key: string): Issue => ({
  pointer,
  code: 'UNKNOWN_KEY',
  message: `names no ${target}: there is none with the key ${JSON.stringify(key.slice(0, 64))} that you can see`,
});

export const unknownPart = (pointer: string, part: PartKind, name: string, known: readonly string[]): Issue => ({
  pointer,
  code: 'UNKNOWN_PART',
  message: `names no ${part} of the model${suggestion(name, known)}`,
});
