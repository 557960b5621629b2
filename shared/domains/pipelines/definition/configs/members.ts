import * as Type from 'typebox';
import { ON_SCHEMA_CHANGE } from '../../../../data/tables/schema-change.ts';
import { StringEnum } from '../../../../platform/http/schemas.ts';
/** Lambda ends a function after 15 minutes. This leaves time to take over the step and to store its result. */
export const MAX_FUNCTION_SECONDS = 840;

/** The longest duration of a run. */
export const MAX_STEP_SECONDS = 86_400;

export const timeoutSeconds = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_STEP_SECONDS,
    default: MAX_FUNCTION_SECONDS,
    description: 'How long an attempt may take.',
  }),
);

export const onSchemaChange = Type.Optional(
  StringEnum(ON_SCHEMA_CHANGE, {
    description: 'What to do when the columns have changed: adopt the change, ignore new columns, or fail.',
  }),
);
/** No engine or database accepts a NUL in a name. */
export const Identifier = Type.String({ minLength: 1, maxLength: 63, pattern: '^[^\\0]*$' });
export const Sql = Type.String({ minLength: 1, maxLength: 100_000, description: 'One SELECT or WITH statement.' });

export const Condition = Type.String({ minLength: 1, maxLength: 10_000, description: 'A condition in SQL.' });

/** Checked by `gateIssues` or `outputGateIssues`. */
export const gates = Type.Optional(Type.Unknown({ $id: 'QualityGates' }));

export const input = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'The id of the step whose rows to read. Omit it when the step waits for only one with rows.',
  }),
);
