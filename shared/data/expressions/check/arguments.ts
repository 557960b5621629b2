import { dateFormat, type FunctionEntry, isClockUnit, literalText, type Parameter } from '../catalogue/index.ts';
import type { Literal } from '../language/tree.ts';
import type { Typed } from '../language/typed.ts';
import { type DataType, type ExpressionType, isAccepted, isNumeric } from '../language/types.ts';
import type { CheckContext } from './context.ts';
import { asText, convert, converted, typeName, unified } from './conversions.ts';
import { conversionHint } from './operators.ts';

/** A function with its parameters, such as `ROUND(value[, digits])`. */
export function signature({ name, parameters }: FunctionEntry): string {
  const shown = parameters.map((parameter, index) => {
    const text = `${index > 0 ? ', ' : ''}${parameter.name}${parameter.isRepeated ? ', …' : ''}`;
    return parameter.isOptional ? `[${text}]` : text;
  });
  return `${name}(${shown.join('')})`;
}

/** The arguments with their types, where common ones have the type of all of them. */
export interface Arguments {
  args: Typed[];
  types: ExpressionType[];
}

export function checkArguments(
  context: CheckContext,
  entry: FunctionEntry,
  values: readonly Typed[],
): Arguments | undefined {
  const parameterOf = (index: number) => entry.parameters[index] ?? entry.parameters.at(-1)!;
  const given = values.map((value, index) => (parameterOf(index).accepts.includes('string') ? asText(value) : value));
  const isUnitFirst = entry.parameters[0]?.literal?.is === 'unit';
  if (isUnitFirst && !isValidArgument(context, entry, parameterOf(0), given[0]!)) return undefined;
  const areValid = given.map((arg, index) => isValidArgument(context, entry, parameterOf(index), arg));
  if (areValid.includes(false)) return undefined;
  const args = given.map((arg, index) => fitted(arg, parameterOf(index)));
  const types = args.map(({ type }) => type);
  const common = args.filter((_, index) => parameterOf(index).isCommon);
  const same = unified(context, common);
  if (!same) {
    const [first, second] = common.map(({ type }) => typeName(type));
    const message = `${entry.name} needs values of one type, but they are ${first} and ${second}.`;
    context.diagnostics.error(3001, common[1]!, message, conversionHint(common[0]!.type, common[1]!.type));
    return undefined;
  }
  for (const [index, arg] of args.entries()) {
    const node = common.includes(arg) && same.nodes[common.indexOf(arg)]!;
    if (!node) continue;
    args[index] = node.type === 'null' ? convert(node, 'string') : node;
    types[index] = same.type;
  }
  return hasTimes(context, entry, args) ? { args, types } : undefined;
}

/** Whether the dates have a time of day where the unit is a part of one. */
function hasTimes({ diagnostics }: CheckContext, entry: FunctionEntry, args: readonly Typed[]): boolean {
  const unit = literalText(literalOf(args[0]));
  const date = args.find(({ type }) => type === 'date');
  if (entry.parameters[0]?.literal?.is !== 'unit' || !isClockUnit(unit.toLowerCase()) || !date) return true;
  const message = `${entry.name} with "${unit}" needs a datetime, but this is a date.`;
  diagnostics.error(3001, date, message, 'Use "day" or a longer unit.');
  return false;
}

function fitted(arg: Typed, parameter: Parameter): Typed {
  if (arg.type === 'null' && !parameter.isCommon) return convert(arg, parameter.accepts[0]!);
  if (parameter.asNumber && arg.type !== 'number' && isNumeric(arg.type)) return convert(arg, 'number');
  return converted(arg, arg.type);
}

function isValidArgument(context: CheckContext, entry: FunctionEntry, parameter: Parameter, arg: Typed): boolean {
  if (arg.type === 'unknown') return false;
  const { accepts, name, literal } = parameter;
  if (!isAccepted(arg.type, accepts)) {
    const message = `${entry.name} needs ${alternatives(accepts)} as ${name}, but this is ${typeName(arg.type)}.`;
    const hint = (accepts as readonly ExpressionType[]).includes('boolean')
      ? conversionHint('boolean', arg.type)
      : argumentHint(entry, accepts[0]!, arg.type);
    context.diagnostics.error(3001, arg, message, hint);
    return false;
  }
  const wanted = literal && literalIssue(parameter, literalOf(arg));
  if (!wanted) return true;
  context.diagnostics.error(1004, arg, `${entry.name} needs ${wanted} as ${name}.`, `Write ${signature(entry)}.`);
  return false;
}

function argumentHint(entry: FunctionEntry, wanted: DataType, found: ExpressionType): string | undefined {
  if (entry.parameters[0]?.literal?.is === 'unit' && wanted === 'string')
    return `Write the unit first, as in ${entry.name}("day", …).`;
  if (entry.kind === 'aggregate' && found === 'boolean') return 'Use COUNT_IF(condition).';
  if (entry.name === 'MOD') return 'Use ROUND or a decimal field: remainders of floats are not exact.';
  return conversionHint(wanted, found);
}

function alternatives(types: readonly DataType[]): string {
  const names = types.includes('number') ? types.filter((type) => type !== 'integer' && type !== 'decimal') : types;
  return names.map(typeName).join(' or ');
}

/** What an argument should be that must be a literal; undefined if it is right. */
function literalIssue({ literal }: Parameter, given: Literal | undefined): string | undefined {
  const text = literalText(given);
  switch (literal?.is) {
    case 'unit':
      return literal.units.includes(text.toLowerCase())
        ? undefined
        : `one of ${literal.units.map((unit) => `"${unit}"`).join(', ')}`;
    case 'integer': {
      const isInside = given?.type === 'integer' && Number(text) >= literal.min && Number(text) <= literal.max;
      return isInside ? undefined : `a constant from ${literal.min} to ${literal.max}`;
    }
    case 'share':
      return text !== '' && Number(text) >= 0 && Number(text) <= 1 ? undefined : 'a constant from 0 to 1';
    case 'dateFormat':
      return dateFormat(text) ? undefined : 'a format such as "DD.MM.YYYY"';
    default:
      return undefined;
  }
}

export const literalOf = (node: Typed | undefined): Literal | undefined =>
  node?.kind === 'literal' ? node.literal : undefined;
