import type { Static } from 'typebox';
import * as Type from 'typebox';
import { folded } from '../../../../data/duckdb/column-names.ts';
import {
  type ColumnType,
  decimalDigits,
  listDepth,
  MAX_LISTS,
  readColumnType,
} from '../../../../data/duckdb/column-types.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { DataError } from '../../../../platform/errors/data-error.ts';
import { StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { gates, Identifier, input, timeoutSeconds } from './members.ts';

const CODE_COLUMN_TYPES = 'string|integer|double|boolean|date|time|timestamp|timestamptz|json|binary';

const OutputColumn = StrictObject({
  name: Identifier,
  type: Type.String({
    pattern: `^(${CODE_COLUMN_TYPES}|decimal\\(([1-9]|[12]\\d|3[0-8]),(\\d|[12]\\d|3[0-8])\\)|(list|struct)\\(.+\\))$`,
    maxLength: 4000,
  }),
});

export const TransformCodeConfig = StrictObject(
  {
    input,
    inputs: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
        minProperties: 1,
        maxProperties: 1,
        description: 'An alternative to `input` with an arbitrary name.',
      }),
    ),
    language: Type.Optional(StringEnum(['javascript', 'typescript'], { default: 'javascript' })),
    entrypoint: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_$][A-Za-z0-9_$]{0,63}$',
        default: 'transform',
        description: 'The function of the code to call.',
      }),
    ),
    code: Type.String({
      minLength: 1,
      maxLength: 200_000,
      description: 'Declares `function transform(rows, context)`, which returns rows.',
    }),
    env: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
        Type.String({ maxLength: 4096 }),
        {
          maxProperties: 50,
          additionalProperties: false,
          description: 'Values for the code, such as `{{ secrets.<name> }}` or `{{ params.<name> }}`.',
        },
      ),
    ),
    outputSchema: Type.Optional(
      Type.Array(OutputColumn, {
        minItems: 1,
        maxItems: 1000,
        description: 'The columns of the returned rows. Omit it if they are those of the input.',
      }),
    ),
    memoryMb: Type.Optional(Type.Integer({ minimum: 16, maximum: 512, default: 128 })),
    gates,
    timeoutSeconds,
  },
  { $id: 'TransformCodeConfig', description: 'Transforms rows with JavaScript or TypeScript, in a sandbox.' },
);
export type TransformCodeConfig = Static<typeof TransformCodeConfig>;

/** Every issue of a code step's settings; the sandbox checks the code itself. */
export function transformCodeIssues(config: Record<string, unknown>, at: string): Issue[] {
  const issues = shapeIssues(TransformCodeConfig, config, at);
  if (!hasShape(TransformCodeConfig, config)) return issues;
  if (config.input !== undefined && config.inputs !== undefined) {
    issues.push({ pointer: `${at}/inputs`, code: 'NOT_ALLOWED', message: 'cannot be combined with input; remove one' });
  }
  const names = (config.outputSchema ?? []).map(({ name }) => folded(name));
  for (const [index, { name, type }] of (config.outputSchema ?? []).entries()) {
    const pointer = `${at}/outputSchema/${index}`;
    if (names.indexOf(folded(name)) < index) {
      issues.push({ pointer: `${pointer}/name`, code: 'DUPLICATE', message: `The column "${name}" is listed twice.` });
    }
    const decimal = decimalDigits(type);
    if (decimal && decimal.scale > decimal.precision) {
      const message = `${type} has a scale larger than its precision.`;
      issues.push({ pointer: `${pointer}/type`, code: 'PATTERN', message });
    } else if (!isOutputType(type)) {
      const message = `must be a column type with unique field names and lists at most ${MAX_LISTS} levels deep`;
      issues.push({ pointer: `${pointer}/type`, code: 'PATTERN', message });
    }
  }
  return issues;
}

function isOutputType(type: string): boolean {
  try {
    const read = readColumnType(type);
    return listDepth(read) <= MAX_LISTS && hasDistinctFields(read);
  } catch (error) {
    if (error instanceof DataError) return false;
    throw error;
  }
}

function hasDistinctFields(type: ColumnType): boolean {
  if (type.kind === 'list') return hasDistinctFields(type.item);
  if (type.kind === 'scalar') return true;
  const names = new Set(type.fields.map(({ name }) => folded(name)));
  return names.size === type.fields.length && type.fields.every((field) => hasDistinctFields(field.type));
}
