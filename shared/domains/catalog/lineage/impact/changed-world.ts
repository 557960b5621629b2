import { applyEdit, DATASETS, isMissing, type ModelDefinition } from '../../../semantics/models/index.ts';
import type { Dataset } from '../../../warehouse/datasets/index.ts';
import { sourceColumn } from '../columns/types.ts';
import type { Sight } from '../kinds.ts';
import { type LineageRef, refKey } from '../types.ts';
import type { Outcome } from './types.ts';

/** The workspace as it would be after the removal, as far as its outcomes are known. */
export class ChangedWorld {
  readonly outcomes = new Map<string, Outcome>();
  /** Definitions that the removal itself edits. */
  readonly edited = new Map<string, ModelDefinition>();
  readonly #sight: Sight;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  outcomeOf = (ref: LineageRef): Outcome | undefined => this.outcomes.get(refKey(ref));

  lostOf = (ref: LineageRef): ReadonlySet<string> => this.outcomeOf(ref)?.lost ?? new Set();

  isGone = (ref: LineageRef): boolean => this.outcomeOf(ref)?.broken === 'all';

  /** Undefined if it does not exist then. A dataset that is not refreshed any more keeps its rows. */
  async dataset(id: string): Promise<Dataset | undefined> {
    const dataset = (await this.#sight.parts.datasets()).get(id);
    const ref = { type: 'dataset', id } as const;
    if (!dataset || this.isGone(ref)) return undefined;
    const lost = this.lostOf(ref);
    if (lost.size === 0) return dataset;
    return { ...dataset, columns: dataset.columns.filter(({ name }) => !lost.has(name.toLowerCase())) };
  }

  /** As after a sync with its source. */
  async model(id: string): Promise<ModelDefinition | undefined> {
    const definition = this.edited.get(id) ?? (await this.#sight.parts.model(id));
    if (!definition || this.isGone({ type: 'model', id })) return undefined;
    const { sourceId } = definition.model;
    const tables = await Promise.all(
      [...definition.tables.values()].map(async (table) => {
        if (sourceId !== DATASETS) {
          const source = { type: 'source', id: sourceId } as const;
          if (this.isGone(source)) return { ...table, missing: true };
          const lost = this.lostOf(source);
          const place = [table.sourceSchema, table.sourceTable];
          return without(table, (name) => lost.has(sourceColumn(place, name).toLowerCase()));
        }
        const dataset = await this.#sight.parts.datasetNamed(table.sourceTable);
        if (!dataset) return table;
        const ref = { type: 'dataset', id: dataset.id } as const;
        if (this.isGone(ref)) return { ...table, missing: true };
        const lost = this.lostOf(ref);
        return without(table, (name) => lost.has(name.toLowerCase()));
      }),
    );
    const changed = tables.filter((table) => table !== definition.tables.get(table.id));
    if (changed.length === 0) return definition;
    const synced = applyEdit(definition, { put: { tables: changed } });
    // A join by a missing column fails only when it runs; without it, the question has no answer either.
    const isGone = (fieldId: string) => {
      const field = synced.fields.get(fieldId);
      return field === undefined || isMissing(synced, field);
    };
    const gone = [...synced.relationships.values()].filter(
      ({ fromFieldId, toFieldId }) => isGone(fromFieldId) || isGone(toFieldId),
    );
    return applyEdit(synced, { remove: { relationships: gone.map(({ id }) => id) } });
  }
}

function without<T extends { columns: { name: string }[] | null }>(table: T, isLost: (name: string) => boolean): T {
  const { columns } = table;
  return columns?.some(({ name }) => isLost(name))
    ? { ...table, columns: columns.filter(({ name }) => !isLost(name)) }
    : table;
}
