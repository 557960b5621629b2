import { AppError } from '../../../../platform/errors/app-error.ts';
import type { NamedReferrer } from '../../../../platform/storage/referrers.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { isSameName, liveMeasures } from '../definition/definition.ts';
import { findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { Measure } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps, touched } from '../definition/stamps.ts';
import { checkedMeasure, measureText, type Referrer, referrersOfMeasure } from '../expressions/expressions.ts';
import { rollupsWithout } from './rollups.ts';

/** What authors say about a measure; the expression is the text that they write. */
export type MeasureInput = Pick<Measure, 'name' | 'format' | 'folder' | 'description' | 'isHidden'> & {
  expression: string;
  /** The type of the expression when absent. */
  dataType?: Measure['dataType'];
};

/** Deleted measures are kept up to this number. */
export const MAX_DELETED = 100;

export function addMeasure(
  definition: ModelDefinition,
  { id, expression: text, dataType, ...input }: MeasureInput & { id: string },
  act: Act,
): Edit {
  if (definition.measures.has(id)) return {};
  assertNameFree(definition, { id, name: input.name });
  assertRoom(definition, 'measures');
  const measure = checkedMeasure(definition, { id, ...input, deletedAt: null, ...newStamps(act) }, { text, dataType });
  return { put: { measures: [measure] } };
}

export function updateMeasure(
  definition: ModelDefinition,
  { id, expression, ...change }: Partial<MeasureInput> & { id: string },
  act: Act,
): Edit {
  const next = changed(findPart(definition, 'measures', id), change, act);
  if (change.name !== undefined) assertNameFree(definition, next);
  const { dataType } = change;
  // Other members of a stale measure can still be changed.
  const isChecked = expression !== undefined || dataType !== undefined;
  const text = expression ?? (isChecked ? measureText(definition, next) : '');
  const measure = isChecked ? checkedMeasure(definition, next, { text, dataType }) : next;
  return { put: { measures: [measure] } };
}

/** What would break without a measure, as far as the caller may know of it. */
export interface BrokenUses {
  affected: readonly { type: string; id: string; name: string }[];
  total: number;
}

/**
 * Throws `REFERENCED` with what uses it: other measures, and `usedBy` and `broken` outside of the model. Its name is
 * free again.
 */
export function removeMeasure(
  definition: ModelDefinition,
  { id, usedBy, broken }: { id: string; usedBy: readonly NamedReferrer[]; broken?: BrokenUses | undefined },
  act: Act,
): Edit {
  const measure = findPart(definition, 'measures', id);
  assertRemovable(measure);
  const direct: (Referrer | NamedReferrer)[] = [...referrersOfMeasure(definition, id), ...usedBy];
  if (direct.length > 0 || broken) {
    const { affected = [], total = 0 } = broken ?? {};
    const others = affected.filter((each) => !direct.some((known) => known.type === each.type && known.id === each.id));
    const referencedBy = [...direct, ...others.map(({ type, id: other, name }) => ({ type, id: other, name }))];
    const impact = `/api/catalog/impact/model/${definition.model.id}?column=${id}`;
    throw new AppError('REFERENCED', { members: { referencedBy, affected, total, impact } });
  }
  const kept = keptDeleted(definition, 1);
  const dropped = [...definition.measures.values()].filter((each) => each.deletedAt !== null && !kept.includes(each));
  const rollups = rollupsWithout(definition, new Set([id]), act);
  return {
    put: { measures: [touched({ ...measure, deletedAt: act.at.toISOString() }, act)], rollups: rollups.put },
    remove: { measures: dropped.map((each) => each.id), rollups: rollups.remove },
  };
}

/** The newest deleted measures, with room for `more`. */
export function keptDeleted({ measures }: ModelDefinition, more: number): Measure[] {
  return [...measures.values()]
    .filter(({ deletedAt }) => deletedAt !== null)
    .sort((a, b) => (a.deletedAt! > b.deletedAt! ? -1 : 1))
    .slice(0, Math.max(MAX_DELETED - more, 0));
}

function assertNameFree(definition: ModelDefinition, { id, name }: Pick<Measure, 'id' | 'name'>): void {
  if (liveMeasures(definition).some((other) => other.id !== id && isSameName(other.name, name)))
    throw new AppError('MODEL_MEASURE_NAME_TAKEN');
  if (definition.model.parameters?.some((parameter) => isSameName(parameter.name, name)))
    throw new AppError('MODEL_MEASURE_NAME_TAKEN', { detail: 'A parameter of the model has this name.' });
}
