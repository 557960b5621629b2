import Type, { type Static } from 'typebox';
import { folded } from '../../../../data/duckdb/column-names.ts';
import {
  type ColumnType,
  decimalDigits,
  listsDeep,
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

export const TransformCodeConfig = StrictObject({
  input,
  inputs: Type.Optional(Type.Record(Type.String(), Type.String(), { minProperties: 1, maxProperties: 1 })),
  language: Type.Optional(StringEnum(['javascript', 'typescript'], { default: 'javascript' })),
  entrypoint: Type.Optional(Type.String({ pattern: '^[A-Za-z_$][A-Za-z0-9_$]{0,63}$', default: 'transform' })),
  code: Type.String({ minLength: 1, maxLength: 200_000 }),
  env: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
      Type.String({ maxLength: 4096 }),
      {
        maxProperties: 50,
        additionalProperties: false,
      },
    ),
  ),
  outputSchema: Type.Optional(Type.Array(OutputColumn, { minItems: 1, maxItems: 1000 })),
  memoryMb: Type.Optional(Type.Integer({ minimum: 16, maximum: 512, default: 128 })),
  gates,
  timeoutSeconds,
});
export type TransformCodeConfig = Static<typeof TransformCodeConfig>;

/** Every issue of a code step's settings, but for the code itself: that is the sandbox's to check. */
export function transformCodeIssues(config: Record<string, unknown>, at: string): Issue[] {
  const issues = shapeIssues(TransformCodeConfig, config, at);
  if (!hasShape(TransformCodeConfig, config)) return issues;
  if (config.input !== undefined && config.inputs !== undefined) {
    issues.push({ pointer: `${at}/inputs`, code: 'NOT_ALLOWED', message: 'is not for steps that have input' });
  }
  const names = (config.outputSchema ?? []).map(({ name }) => folded(name));
  for (const [index, { name, type }] of (config.outputSchema ?? []).entries()) {
    const pointer = `${at}/outputSchema/${index}`;
    if (names.indexOf(folded(name)) < index) {
      issues.push({ pointer: `${pointer}/name`, code: 'DUPLICATE', message: `the column ${name} is named twice` });
    }
    const decimal = decimalDigits(type);
    if (decimal && decimal.scale > decimal.precision) {
      const message = `${type} has more digits after the point than digits`;
      issues.push({ pointer: `${pointer}/type`, code: 'PATTERN', message });
    } else if (!canBeAnswered(type)) {
      const message = `is no type of a column, or has lists more than ${MAX_LISTS} deep`;
      issues.push({ pointer: `${pointer}/type`, code: 'PATTERN', message });
    }
  }
  return issues;
}

function canBeAnswered(type: string): boolean {
  try {
    const read = readColumnType(type);
    return listsDeep(read) <= MAX_LISTS && hasDistinctFields(read);
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
