import Type from 'typebox';
import { ON_SCHEMA_CHANGE } from '../../../../data/tables/schema-change.ts';
import { StringEnum } from '../../../../platform/http/schemas.ts';

/** A function ends after 15 minutes; what a step may take leaves room for taking over and writing down. */
export const MAX_FUNCTION_SECONDS = 840;

/** As long as a run may take. */
export const MAX_STEP_SECONDS = 86_400;

export const timeoutSeconds = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_STEP_SECONDS, default: MAX_FUNCTION_SECONDS }),
);

export const onSchemaChange = Type.Optional(StringEnum(ON_SCHEMA_CHANGE));

/** No engine and no database has a name with a NUL. */
export const Identifier = Type.String({ minLength: 1, maxLength: 63, pattern: '^[^\\0]*$' });

export const Sql = Type.String({ minLength: 1, maxLength: 100_000 });

export const Condition = Type.String({ minLength: 1, maxLength: 10_000 });

/** Checked by `gateIssues` or `outputGateIssues`. */
export const gates = Type.Optional(Type.Unknown());

/** The id of the step whose rows are read; may be left out when the step waits for exactly one with rows. */
export const input = Type.Optional(Type.String());
