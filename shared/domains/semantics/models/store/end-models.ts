import type { CleanUp } from '../../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../../platform/storage/delete-items.ts';
import type { Key } from '../../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import { generationKey, type ModelPlace } from '../definition/keys.ts';
import { modelRepository } from './repository.ts';

const KEYS_AT_ONCE = 500;

/**
 * Removes the parts of a generation unless they are those of the model; without a generation, everything that a deleted
 * model has left. Returns false if some are left once `isOver` is true.
 */
async function endModelItems(
  table: Table,
  { generation, ...place }: ModelPlace & { generation?: string | undefined },
  isOver: () => boolean,
): Promise<boolean> {
  const model = await modelRepository(table).get(place.workspaceId, place.modelId);
  if (model && (generation === undefined || model.generation === generation)) return true;
  const { pk, sk } = generationKey(place, generation ?? '');
  let keys: Key[] = [];
  for await (const item of itemsBelow(table, { pk, sk: generation === undefined ? '' : sk })) {
    keys.push({ pk: item.pk as string, sk: item.sk as string });
    if (keys.length < KEYS_AT_ONCE) continue;
    if (!(await deleteItems(table, keys, isOver))) return false;
    keys = [];
  }
  return deleteItems(table, keys, isOver);
}

/** A deleted model, or one generation of its parts. */
export type EndedModel = { kind: 'model'; workspaceId: string; modelId: string; generation?: string | undefined };

export const modelCleanUps: readonly [CleanUp<EndedModel>] = [{ kind: 'model', remove: endModelItems }];
