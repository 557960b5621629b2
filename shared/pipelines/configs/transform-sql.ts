import Type, { type Static } from 'typebox';
import { Closed } from '../../http/schemas.ts';
import { Sql, timeoutSeconds } from './members.ts';

const Alias = '^[A-Za-z_][A-Za-z0-9_]{0,62}$';

export const TransformSqlConfig = Closed({
  inputs: Type.Optional(Type.Record(Type.String({ pattern: Alias }), Type.String())),
  sql: Sql,
  timeoutSeconds,
});
export type TransformSqlConfig = Static<typeof TransformSqlConfig>;
