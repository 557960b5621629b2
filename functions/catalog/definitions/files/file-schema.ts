import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { DefinitionKey } from '../../../../shared/platform/http/managed-by.ts';
import { strictRequest } from '../../../../shared/platform/http/strict-request.ts';
import type { DefinitionKind } from '../kinds/kind.ts';
import { fileName, idMembers } from './file-names.ts';

type Schema = Record<string, unknown>;

/** The schema of the files of each kind. */
const SCHEMAS = new Map<string, TSchema>();

/** The schema of a file: that of the object, with keys in place of ids, and without unknown members. */
export function fileSchemaOf(kind: DefinitionKind): TSchema {
  const known = SCHEMAS.get(kind.kind);
  if (known) return known;
  const schema = strictRequest(withKeys(kind, kind.members as unknown as Schema) as unknown as TSchema);
  SCHEMAS.set(kind.kind, schema);
  return schema;
}

function withKeys(kind: DefinitionKind, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withKeys(kind, each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required, $id: _id, ...others } = schema as Schema;
  if (kind.symbols && others.format === 'uuid') return { ...withoutFormat(others), ...IdOrSymbol };
  // Symbols are longer than ids, and a text may be marked as one. The operation checks what they stand for.
  if (kind.symbols && Number(others.maxLength) < MAX_SYMBOL) return { ...others, maxLength: MAX_SYMBOL };
  const copy: Schema = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, name === 'default' ? value : withKeys(kind, value)]),
  );
  const ids = idMembers(kind);
  const nameOf = (name: string) => (ids.includes(name) ? fileName(name) : name);
  if (Array.isArray(required)) copy.required = required.filter((name) => !hasDefault(properties, name)).map(nameOf);
  if (properties) {
    copy.properties = Object.fromEntries(
      Object.entries(properties as Schema).map(([name, value]) => [
        nameOf(name),
        ids.includes(name)
          ? keysFor(value as Schema, kind.parts?.[name] ? PartName : DefinitionKey)
          : withKeys(kind, value),
      ]),
    );
  }
  return copy;
}

/** What has a default may be omitted from a file. */
const hasDefault = (properties: unknown, name: string) =>
  'default' in ((properties as Record<string, Schema> | undefined)?.[name] ?? {});

/** An id, or a text that stands for one. */
const MAX_SYMBOL = 1000;
const IdOrSymbol = Type.String({ minLength: 1, maxLength: MAX_SYMBOL });

function withoutFormat({ format: _, ...others }: Schema): Schema {
  return others;
}

/** The name of a part of a model; of a field with that of its table, such as `orders.amount`. */
const PartName = Type.String({ minLength: 1, maxLength: 1000 });

/** The schema of a member with ids, for keys or names. An id stands for an object that has none. */
function keysFor(schema: Schema, name: TSchema): unknown {
  if (schema.format === 'uuid') {
    return { ...withoutFormat(schema), ...name };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      Array.isArray(value)
        ? value.map((each) => (isSchema(each) ? keysFor(each, name) : each))
        : isSchema(value)
          ? keysFor(value, name)
          : value,
    ]),
  );
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON Schema of a kind for editors. */
export function editorSchemaOf(kind: DefinitionKind): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A definition of the kind ${kind.kind}`,
    ...JSON.parse(JSON.stringify(fileSchemaOf(kind))),
  };
}
