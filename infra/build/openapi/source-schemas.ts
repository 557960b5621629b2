import type { TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import { SOURCE_TYPES } from '../../../shared/data/connectors/source-types.ts';
import { Nullable, StrictObject } from '../../../shared/platform/http/schemas.ts';
import type { Json } from './json-schema.ts';

/** A change of a source's settings: every member is optional, and null removes one. */
const changeOf = (settings: TObject): TObject => {
  const { $id, required, properties } = settings as TObject & { $id: string; required?: string[] };
  const changed = Object.entries(properties as Record<string, Json>).map(([name, { default: _default, ...member }]) => [
    name,
    Type.Optional(required?.includes(name) ? member : Nullable(member)),
  ]);
  return StrictObject(Object.fromEntries(changed), {
    $id: `Update${$id}`,
    description: `Members of \`${$id}\` to change.`,
  });
};

const unionOf = (part: 'config' | 'secrets', $id: string, description: string): TSchema =>
  Type.Union(
    Object.entries(SOURCE_TYPES).flatMap(([type, settings]) => (type === 'file' ? [] : [changeOf(settings[part])])),
    { $id, description },
  );

/** Changes of data sources. The server checks the result of the change against the settings of its type. */
export const SOURCE_SCHEMAS: TSchema[] = [
  unionOf('config', 'UpdateDataSourceConfig', 'Settings to change; the members depend on the type of the data source.'),
  unionOf(
    'secrets',
    'UpdateDataSourceSecrets',
    'Secrets to change; the members depend on the type of the data source.',
  ),
];
