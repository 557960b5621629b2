import type { ModelDefinition } from '../definition/definition.ts';
import { fieldsOf, folded, transformsOf } from '../definition/definition.ts';
import type { ModelField, ModelTable, Transform } from '../definition/records.ts';
import type { FileField, FileTable, FileTransform } from './schema.ts';
import { fieldDefaults, TRANSFORM_DEFAULTS, transformView, viewOf } from './views.ts';

/**
 * The stored parts that the parts of a file mean, by index. The keys are tried in turn, on parts that no earlier key
 * has matched; a key that is not unique on both sides matches nothing.
 */
export function matched<F, P>(
  wanted: readonly F[],
  current: readonly P[],
  ...keys: readonly { ofWanted(part: F): string; ofCurrent(part: P): string }[]
): (P | undefined)[] {
  const found: (P | undefined)[] = wanted.map(() => undefined);
  const left = new Set(current);
  for (const { ofWanted, ofCurrent } of keys) {
    if (left.size === 0) break;
    const open = wanted.map((_, index) => index).filter((index) => !found[index]);
    const ours = Map.groupBy(left, ofCurrent);
    const theirs = Map.groupBy(open, (index) => ofWanted(wanted[index]!));
    for (const [key, [index, ...others]] of theirs) {
      const [part, ...twins] = ours.get(key) ?? [];
      if (!part || others.length > 0 || twins.length > 0) continue;
      found[index!] = part;
      left.delete(part);
    }
  }
  return found;
}

/** By alias, then by the table in the source: an alias can be renamed. */
export const matchedTables = (tables: readonly FileTable[], { tables: current }: ModelDefinition) =>
  matched<FileTable, ModelTable>(
    tables,
    [...current.values()],
    { ofWanted: ({ alias }) => folded(alias), ofCurrent: ({ alias }) => folded(alias) },
    {
      ofWanted: ({ sourceSchema = '', sourceTable }) => JSON.stringify([sourceSchema, sourceTable]),
      ofCurrent: ({ sourceSchema, sourceTable }) => JSON.stringify([sourceSchema, sourceTable]),
    },
  );

/** By name, then by what the field reads: a field can be renamed. */
export const matchedFields = (fields: readonly FileField[], definition: ModelDefinition, tableId: string) =>
  matched<FileField, ModelField>(
    fields,
    fieldsOf(definition, tableId),
    { ofWanted: ({ name }) => folded(name), ofCurrent: ({ name }) => folded(name) },
    {
      ofWanted: (field) => readBy({ ...fieldDefaults(field), ...field }),
      ofCurrent: (field) => readBy({ ...fieldDefaults(field), ...viewOf(definition, 'fields', field) }),
    },
  );

const readBy = ({ sourceColumn, expression }: { sourceColumn: string | null; expression?: string }) =>
  JSON.stringify([sourceColumn, expression ?? null]);

/**
 * Steps have no names: by all that they say, then by type and label, then by type. Equal steps match in their order.
 */
export function matchedTransforms(
  wanted: readonly FileTransform[],
  definition: ModelDefinition,
  tableId: string,
): (Transform | undefined)[] {
  const current = transformsOf(definition, tableId);
  const views = new Map(current.map((step) => [step, viewOf(definition, 'transforms', step)]));
  const asViewed = wanted.map((step) => transformView({ ...TRANSFORM_DEFAULTS, ...step }));
  const found: (Transform | undefined)[] = wanted.map(() => undefined);
  const left = new Set(current);
  const keys: ((step: FileTransform) => string)[] = [
    (step) => JSON.stringify(step),
    ({ type, label }) => JSON.stringify([type, label]),
    ({ type }) => type,
  ];
  for (const key of keys)
    asViewed.forEach((step, index) => {
      if (found[index]) return;
      const same = [...left].find((each) => key(views.get(each)!) === key(step));
      found[index] = same;
      if (same) left.delete(same);
    });
  return found;
}
