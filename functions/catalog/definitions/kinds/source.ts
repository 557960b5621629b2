import * as Type from 'typebox';
import { SOURCE_TYPES, type SourceType } from '../../../../shared/data/connectors/source-types.ts';
import { complete } from '../../../../shared/domains/catalog/definitions/index.ts';
import { Name, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind, Members } from './kind.ts';
import { fileSchedule, foldSchedule, showSchedule, takeSchedule } from './schedule.ts';
import { Variable, variableOf } from './variables.ts';

const TYPES = Object.keys(SOURCE_TYPES) as SourceType[];

/** The secrets of a type, with the names of variables in place of their values. */
const variablesFor = (type: SourceType) =>
  StrictObject(
    Object.fromEntries(
      Object.entries(SOURCE_TYPES[type].secrets.properties as Record<string, Members>).map(([name, secret]) => [
        name,
        Type.Optional(secret.type === 'object' ? Type.Record(Type.String({ maxLength: 100 }), Variable) : Variable),
      ]),
    ),
    { default: {} },
  );

const membersOf = (type: SourceType) => ({
  name: Name,
  type: Type.Literal(type),
  config: type === 'file' ? { ...SOURCE_TYPES.file.config, default: {} } : SOURCE_TYPES[type].config,
  secrets: variablesFor(type),
  schedule: fileSchedule,
});

export const source: DefinitionKind = {
  kind: 'source',
  isWholeInLists: true,
  members: Type.Object(
    {
      name: Name,
      type: StringEnum(TYPES),
      config: Type.Object({}, { additionalProperties: true, default: {} }),
      secrets: Type.Object({}, { additionalProperties: true, default: {} }),
      schedule: fileSchedule,
    },
    { discriminator: { propertyName: 'type' }, oneOf: TYPES.map((type) => Type.Object(membersOf(type))) },
  ),
  references: {},
  fixed: ['type'],
  fold: foldSchedule,
  show: (object) => ({ ...object, schedule: showSchedule(object.schedule) }),

  take({ name, type, config, secrets, schedule: given }, current) {
    const schedule = takeSchedule(given);
    const whole = complete(SOURCE_TYPES[type as SourceType].config, config as Members);
    const isGiven = Object.keys(secrets as Members).length > 0;
    if (!current)
      return { name, type, config: whole, ...(type !== 'file' && { secrets }), ...(schedule && { schedule }) };
    // The operation changes the members that it gets: null removes one.
    const removed = Object.keys(current.config as Members).filter((member) => !Object.hasOwn(whole, member));
    const changes = { ...whole, ...Object.fromEntries(removed.map((member) => [member, null])) };
    return { name, config: changes, ...(isGiven && { secrets }), schedule };
  },

  variablesOf({ type, config }, key) {
    const { auth } = config as { auth?: string };
    const names: Record<SourceType, readonly string[]> = {
      file: [],
      postgres: ['password'],
      mysql: ['password'],
      s3: ['accessKeyId', 'secretAccessKey'],
      http: auth === undefined || auth === 'none' ? [] : ['credential'],
    };
    return Object.fromEntries(names[type as SourceType].map((name) => [name, variableOf(key, name)]));
  },

  async dataOf(operations, { id, type }) {
    if (type !== 'file') return undefined;
    const path = `/api/data-sources/${id}/tables`;
    const { items } = await operations.read({ group: 'data-sources', method: 'GET', path, query: { limit: 1 } });
    return items.length > 0 ? 'The data source has uploaded files.' : undefined;
  },
};
