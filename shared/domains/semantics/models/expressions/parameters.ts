import { dateLiteral, type ScopeParameter } from '../../../../data/expressions/index.ts';
import type { ModelParameter, ModelRecord, ParameterChoice } from '../definition/records.ts';

type Value = ScopeParameter['value'];

/** The value as a constant of expressions; undefined if it is none of the type. */
export function constantOf(dataType: ModelParameter['dataType'], value: ParameterChoice): Value | undefined {
  switch (dataType) {
    case 'string':
      return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
        ? { type: 'string', text: value }
        : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? { type: 'integer', text: String(value) } : undefined;
    case 'decimal':
      return typeof value === 'number' ? decimalOf(value) : undefined;
    case 'date':
      return typeof value === 'string' ? (dateLiteral(value) as Value | undefined) : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? { type: 'boolean', value } : undefined;
  }
}

/** Whole numbers are decimals too, so that the type of an expression does not depend on the value. */
function decimalOf(value: number): Value | undefined {
  const text = String(value);
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  return { type: 'decimal', text: text.includes('.') ? text : `${text}.0` };
}

/** The parameters of a model as constants with their defaults. */
export const scopeParameters = ({ parameters = [] }: ModelRecord): ScopeParameter[] =>
  parameters.flatMap(({ name, dataType, default: value }) => {
    const constant = constantOf(dataType, value);
    return constant ? [{ name, value: constant }] : [];
  });
