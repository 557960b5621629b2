import { SIDES, type Side } from '../../../data/blends/join-sql.ts';
import {
  type DefinitionReader,
  fieldsOf,
  type ModelDefinition,
  type ModelField,
  modelOrNone,
} from '../models/index.ts';
import type { BlendRecord, StoredKey } from './records.ts';

/** One of the two tables of a blend. */
export interface SideTable {
  modelId: string;
  tableId: string;
  alias: string;
}

export const sideOf = (blend: BlendRecord, side: Side): SideTable =>
  side === 'left'
    ? { modelId: blend.leftModelId, tableId: blend.leftTableId, alias: blend.leftAlias }
    : { modelId: blend.rightModelId, tableId: blend.rightTableId, alias: blend.rightAlias };

export const fieldOfKey = (key: StoredKey, side: Side): string =>
  side === 'left' ? key.leftFieldId : key.rightFieldId;

export type Definitions = Record<Side, ModelDefinition | undefined>;

/** The models of both sides; undefined where one was deleted. */
export async function definitionsOf(definitions: DefinitionReader, blend: BlendRecord): Promise<Definitions> {
  const { workspaceId } = blend;
  const read = (side: Side) => modelOrNone(definitions, { workspaceId, modelId: sideOf(blend, side).modelId });
  const [left, right] = await Promise.all([read('left'), read('right')]);
  return { left, right };
}

/** The fields of both tables; none of a table that is gone. */
export async function fieldsOfBlend(definitions: DefinitionReader, blend: BlendRecord): Promise<ModelField[]> {
  const found = await definitionsOf(definitions, blend);
  return SIDES.flatMap((side) => {
    const definition = found[side];
    return definition ? fieldsOf(definition, sideOf(blend, side).tableId) : [];
  });
}
