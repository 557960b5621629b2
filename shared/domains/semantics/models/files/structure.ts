import { readFieldName } from '../../../../data/expressions/index.ts';
import { suggestion } from '../../../../platform/validation/names.ts';
import { folded, liveMeasures, type ModelDefinition } from '../definition/definition.ts';
import { fieldName } from '../definition/field-name.ts';
import type { Hierarchy, ModelField, Relationship, Rollup } from '../definition/records.ts';
import type { ImportContext } from './context.ts';
import { RELATIONSHIP_DEFAULTS } from './views.ts';

/** The fields of a model by table and name, as files refer to them. */
class FieldNames {
  readonly #definition: ModelDefinition;
  /** Made for the first name: few files name fields in each of their lists. */
  #fields: Map<string, ModelField> | undefined;
  #names: string[] | undefined;

  constructor(definition: ModelDefinition) {
    this.#definition = definition;
  }

  find(context: ImportContext, name: string, pointer: string): ModelField | undefined {
    const text = `[${name}]`;
    const read = readFieldName(text, 0);
    if (!('parts' in read) || read.to !== text.length || read.parts[1] === undefined) {
      context.report(pointer, 'FORMAT', 'must be the alias of a table and the name of a field, such as orders.amount');
      return undefined;
    }
    this.#fields ??= fieldsByName(this.#definition);
    const found = this.#fields.get(keyOf(read.parts[0], read.parts[1]));
    if (!found)
      context.report(pointer, 'UNKNOWN_FIELD', `is not a field of the file${suggestion(name, this.#allNames())}`);
    return found;
  }

  #allNames(): string[] {
    this.#names ??= [...this.#definition.fields.keys()].map((id) => fieldName(this.#definition, id));
    return this.#names;
  }
}

const fieldsByName = ({ tables, fields }: ModelDefinition) =>
  new Map([...fields.values()].map((field) => [keyOf(tables.get(field.tableId)!.alias, field.name), field]));

const keyOf = (alias: string, name: string) => JSON.stringify([folded(alias), folded(name)]);

export function importedRelationships(context: ImportContext, definition: ModelDefinition): Relationship[] {
  const names = new FieldNames(definition);
  const current = new Map([...context.definition.relationships.values()].map((each) => [endsOf(each), each]));
  const seen = new Set<string>();
  return (context.read.file.relationships ?? []).flatMap(({ from, to, ...members }, index) => {
    const pointer = `/relationships/${index}`;
    const [one, other] = [names.find(context, from, `${pointer}/from`), names.find(context, to, `${pointer}/to`)];
    if (!one || !other) return [];
    const ends = { fromTableId: one.tableId, fromFieldId: one.id, toTableId: other.tableId, toFieldId: other.id };
    const key = endsOf(ends);
    if (seen.has(key)) context.report(pointer, 'DUPLICATE', 'joins the same two fields as an earlier one');
    seen.add(key);
    const identity = current.get(key) ?? context.fresh('relationships');
    context.places.set(identity.id, pointer);
    return [{ ...identity, ...RELATIONSHIP_DEFAULTS, ...members, ...ends }];
  });
}

const endsOf = ({ fromFieldId, toFieldId }: Pick<Relationship, 'fromFieldId' | 'toFieldId'>) =>
  [fromFieldId, toFieldId].sort().join();

export function importedHierarchies(context: ImportContext, definition: ModelDefinition): Hierarchy[] {
  const { hierarchies: wanted = [] } = context.read.file;
  context.reportRepeated(
    wanted,
    ({ name }) => name,
    (index) => `/hierarchies/${index}/name`,
  );
  const names = new FieldNames(definition);
  const tables = new Map([...definition.tables.values()].map((table) => [folded(table.alias), table]));
  const current = new Map([...context.definition.hierarchies.values()].map((each) => [folded(each.name), each]));
  return wanted.map(({ name, table: alias, levels }, index) => {
    const pointer = `/hierarchies/${index}`;
    const table =
      alias === undefined
        ? undefined
        : context.named(tables, { name: alias, pointer: `${pointer}/table`, what: 'table' });
    const identity = current.get(folded(name)) ?? context.fresh('hierarchies');
    context.places.set(identity.id, pointer);
    return {
      ...identity,
      name,
      tableId: table?.id ?? null,
      levels: levels.flatMap(({ field, label }, level) => {
        const found = names.find(context, field, `${pointer}/levels/${level}/field`);
        return found ? [{ fieldId: found.id, label: label ?? found.name }] : [];
      }),
    };
  });
}

/** Refers to the measures of the definition, which are those of the file. */
export function importedRollups(context: ImportContext, definition: ModelDefinition): Rollup[] {
  const { rollups: wanted = [] } = context.read.file;
  context.reportRepeated(
    wanted,
    ({ name }) => name,
    (index) => `/rollups/${index}/name`,
  );
  const names = new FieldNames(definition);
  const known = new Map(liveMeasures(definition).map((measure) => [folded(measure.name), measure]));
  const current = new Map([...context.definition.rollups.values()].map((each) => [folded(each.name), each]));
  return wanted.map(({ name, dimensions = [], measures }, index) => {
    const pointer = `/rollups/${index}`;
    const identity = current.get(folded(name)) ?? context.fresh('rollups');
    context.places.set(identity.id, pointer);
    return {
      ...identity,
      name,
      dimensions: dimensions.flatMap(({ field, ...grain }, dimension) => {
        const found = names.find(context, field, `${pointer}/dimensions/${dimension}/field`);
        return found ? [{ fieldId: found.id, ...grain }] : [];
      }),
      measures: measures.flatMap(({ measure, field, ...aggregation }, at) => {
        const place = `${pointer}/measures/${at}`;
        const named =
          measure === undefined
            ? undefined
            : context.named(known, { name: measure, pointer: `${place}/measure`, what: 'measure' });
        const found = field === undefined ? undefined : names.find(context, field, `${place}/field`);
        if ((measure !== undefined && !named) || (field !== undefined && !found)) return [];
        const ids = { ...(named && { measureId: named.id }), ...(found && { fieldId: found.id }) };
        return [{ ...ids, ...aggregation }];
      }),
    };
  });
}
