import { type Hop, joinGraph } from '../../../../data/semantics/join-graph.ts';
import { type Need, Restrictions } from '../../../../data/semantics/restrictions.ts';
import { folded, type ModelDefinition } from '../definition/definition.ts';
import { isSamePlace, placeOfTable, type SourcePlace } from '../definition/protected-tables.ts';
import type { ModelTable, Policy } from '../definition/records.ts';
import { semanticModel } from '../definition/semantic-model.ts';
import { changesOfColumn } from '../parts/transforms.ts';

/** A policy with the source table whose rows it restricts. */
export interface PlacedPolicy {
  place: SourcePlace;
  policy: Policy;
}

/** A chain of relationships by which hidden rows of one table hide rows of another. */
export interface ProtectedChain {
  /** Equal for chains that hide the same rows. */
  key: string;
  /** What restricts the table at its end. */
  policies: readonly Policy[];
}

/** Questions fail where the chains are too many to write, which hides every row. */
const HIDES_ALL = 'all';

/** The policies of the model, each with the table that it restricts. */
export const placedPolicies = ({ policies, tables }: ModelDefinition): PlacedPolicy[] =>
  [...policies.values()].flatMap((policy) => {
    const table = tables.get(policy.tableId);
    return table ? [{ place: placeOfTable(table), policy }] : [];
  });

/**
 * The chains that hold for every table of the model that reads a source table, by its place: a row that is hidden under
 * one alias and shown under another is not protected.
 */
export class ProtectedChains {
  readonly #definition: ModelDefinition;
  readonly #restricted: readonly PlacedPolicy[];
  readonly #restrictions: Restrictions;
  /** By the names of their tables: what is at the same place has the same one. */
  readonly #policies: ReadonlyMap<string, readonly PlacedPolicy[]>;
  readonly #tables: ReadonlyMap<string, readonly ModelTable[]>;

  constructor(definition: ModelDefinition, restricted: readonly PlacedPolicy[]) {
    this.#definition = definition;
    this.#restricted = restricted;
    this.#policies = Map.groupBy(restricted, ({ place }) => folded(place.table));
    this.#tables = Map.groupBy(definition.tables.values(), ({ sourceTable }) => folded(sourceTable));
    const model = semanticModel(definition);
    const ends = [...definition.tables.values()].filter((table) => this.#policiesAt(table).length > 0);
    this.#restrictions = new Restrictions(model, joinGraph(model), new Set(ends.map(({ id }) => id)));
  }

  /** The chains of each source table; none for a table without. */
  *all(): Generator<{ place: SourcePlace; chains: ProtectedChain[] }> {
    for (const table of this.#definition.tables.values()) {
      const place = placeOfTable(table);
      const [first = [], ...others] = this.at(place);
      const chains = first.filter(({ key }) => others.every((other) => hides(other, key)));
      if (chains.length > 0) yield { place, chains };
    }
  }

  /** The chains of each table of the model that may read the source table. */
  at(place: SourcePlace): ProtectedChain[][] {
    const named = this.#tables.get(folded(place.table)) ?? [];
    const tables = named.filter((table) => isSamePlace(placeOfTable(table), place));
    return tables.map(({ id }) => this.#chainsOf(id));
  }

  #chainsOf(tableId: string): ProtectedChain[] {
    const needs = this.#restrictions.needs(tableId);
    if (!needs) return [{ key: HIDES_ALL, policies: this.#restricted.map(({ policy }) => policy) }];
    return needs.flatMap((need) => this.#chainsAlong(need, []));
  }

  #chainsAlong({ hop, then }: Need, before: readonly unknown[]): ProtectedChain[] {
    const steps = [...before, this.#meaningOf(hop)];
    const policies = this.#policiesAt(this.#definition.tables.get(hop.to.tableId)!);
    const here = policies.length > 0 ? [{ key: JSON.stringify(steps), policies }] : [];
    return [...here, ...then.flatMap((need) => this.#chainsAlong(need, steps))];
  }

  #policiesAt(table: ModelTable): Policy[] {
    const named = this.#policies.get(folded(table.sourceTable)) ?? [];
    return named.filter(({ place }) => isSamePlace(place, placeOfTable(table))).map(({ policy }) => policy);
  }

  #meaningOf({ from, to }: Hop): unknown {
    return [from, to].map(({ tableId, fieldId }) => keyMeaning(this.#definition, tableId, fieldId));
  }
}

/** Whether the chains hide what the chain with the key hides. */
export const hides = (chains: readonly ProtectedChain[], key: string): boolean =>
  chains.some((chain) => chain.key === key || chain.key === HIDES_ALL);

/** Which values a key has: of which column of the source, as which type, and what steps make of them. */
export function keyMeaning(definition: ModelDefinition, tableId: string, fieldId: string): unknown {
  const { sourceSchema, sourceTable } = definition.tables.get(tableId)!;
  const { sourceColumn, dataType } = definition.fields.get(fieldId)!;
  const values = sourceColumn === null ? null : changesOfColumn(definition, tableId, sourceColumn);
  return [sourceSchema, sourceTable, dataType, values];
}
