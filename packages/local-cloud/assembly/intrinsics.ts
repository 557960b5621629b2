import type { Report } from './conform.ts';
import { isPending, PENDING, type Value } from './value.ts';

/** What the intrinsic functions of a template look up. A failed lookup is reported and answers `PENDING`. */
export interface Scope {
  /** `Ref`: a pseudo parameter, a parameter or a resource. */
  ref(name: string, path: string): Value;
  attribute(logicalId: string, name: string, path: string): Value;
  condition(name: string, path: string): boolean;
  mapping(map: string, first: string, second: string): Value | undefined;
  importValue(exportName: string, path: string): Value;
  stackOutput(stack: string, output: string, path: string): Value;
  report: Report;
}

/** The value of `Ref: AWS::NoValue`: the member that holds it is left out. */
export const NO_VALUE = Symbol('AWS::NoValue');

type Result = Value | typeof NO_VALUE;
type Intrinsic = (argument: Value, scope: Scope, path: string) => Result;

/** Evaluates all intrinsic functions in a part of a template. */
export function evaluate(value: Value, scope: Scope, path: string): Value {
  const result = evaluateMember(value, scope, path);
  return result === NO_VALUE ? null : result;
}

function evaluateMember(value: Value, scope: Scope, path: string): Result {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value
      .map((item, index) => evaluateMember(item, scope, `${path}[${index}]`))
      .filter((item) => item !== NO_VALUE);
  }
  const names = Object.keys(value);
  const called = names.find(isIntrinsic);
  if (called === undefined) {
    const members: [string, Value][] = [];
    for (const name of names) {
      const member = evaluateMember(value[name] as Value, scope, `${path}.${name}`);
      if (member !== NO_VALUE) members.push([name, member]);
    }
    return Object.fromEntries(members);
  }
  const intrinsic = Object.hasOwn(INTRINSICS, called) ? INTRINSICS[called] : undefined;
  if (!intrinsic || names.length > 1) {
    scope.report(path, `the local cloud does not support the intrinsic function ${called} in this form`);
    return PENDING;
  }
  return intrinsic(value[called] as Value, scope, path);
}

function isIntrinsic(name: string): boolean {
  return name === 'Ref' || name.startsWith('Fn::');
}

const INTRINSICS: Record<string, Intrinsic> = {
  Ref(argument, scope, path) {
    if (argument === 'AWS::NoValue') return NO_VALUE;
    return typeof argument === 'string' ? scope.ref(argument, path) : malformed('Ref', scope, path);
  },

  'Fn::GetAtt'(argument, scope, path) {
    const [id, name] = typeof argument === 'string' ? splitAtDot(argument) : itemsOf(argument);
    if (typeof id !== 'string' || typeof name !== 'string') return malformed('Fn::GetAtt', scope, path);
    return scope.attribute(id, name, path);
  },

  'Fn::Sub'(argument, scope, path) {
    const [pattern, variables] = typeof argument === 'string' ? [argument] : itemsOf(argument);
    const known = evaluate(variables ?? {}, scope, path);
    if (typeof pattern !== 'string' || typeof known !== 'object' || known === null || Array.isArray(known)) {
      return malformed('Fn::Sub', scope, path);
    }
    return substitute(pattern, known, scope, path);
  },

  'Fn::Join'(argument, scope, path) {
    const [delimiter, list] = listOf(argument, scope, path);
    if (isPending(list) || isPending(delimiter)) return PENDING;
    if (typeof delimiter !== 'string' || !Array.isArray(list)) return malformed('Fn::Join', scope, path);
    return list.some(isPending) ? PENDING : list.map(String).join(delimiter);
  },

  'Fn::Select'(argument, scope, path) {
    const [index, list] = listOf(argument, scope, path);
    if (isPending(list) || isPending(index)) return PENDING;
    const selected = Array.isArray(list) ? list[Number(index)] : undefined;
    return selected ?? malformed('Fn::Select', scope, path);
  },

  'Fn::Split'(argument, scope, path) {
    const [delimiter, source] = listOf(argument, scope, path);
    if (isPending(source)) return PENDING;
    if (typeof delimiter !== 'string' || typeof source !== 'string') return malformed('Fn::Split', scope, path);
    return source.split(delimiter);
  },

  'Fn::If'(argument, scope, path) {
    const [name, then, otherwise] = itemsOf(argument);
    if (typeof name !== 'string' || then === undefined || otherwise === undefined) {
      return malformed('Fn::If', scope, path);
    }
    return evaluateMember(scope.condition(name, path) ? then : otherwise, scope, path);
  },

  'Fn::FindInMap'(argument, scope, path) {
    const [map, first, second, ...more] = listOf(argument, scope, path);
    if (more.length > 0) return malformed('Fn::FindInMap', scope, path);
    const found = scope.mapping(String(map), String(first), String(second));
    if (found !== undefined) return found;
    scope.report(path, `the mapping ${String(map)} has no value for ${String(first)}, ${String(second)}`);
    return PENDING;
  },

  'Fn::ImportValue'(argument, scope, path) {
    const name = evaluate(argument, scope, path);
    return typeof name === 'string' ? scope.importValue(name, path) : malformed('Fn::ImportValue', scope, path);
  },

  'Fn::GetStackOutput'(argument, scope, path) {
    const named = evaluate(argument, scope, path);
    const { StackName, OutputName, Region, ...more } = Object(named) as { [name: string]: Value };
    const here = Region === undefined || Region === scope.ref('AWS::Region', path);
    if (typeof StackName !== 'string' || typeof OutputName !== 'string' || !here || Object.keys(more).length > 0) {
      return malformed('Fn::GetStackOutput', scope, path);
    }
    return scope.stackOutput(StackName, OutputName, path);
  },

  'Fn::GetAZs'(argument, scope, path) {
    const region = evaluate(argument, scope, path);
    const here = scope.ref('AWS::Region', path);
    if (region !== '' && region !== here) return malformed('Fn::GetAZs', scope, path);
    return ['a', 'b', 'c'].map((zone) => `${String(here)}${zone}`);
  },

  'Fn::Base64'(argument, scope, path) {
    const source = evaluate(argument, scope, path);
    return isPending(source) ? PENDING : Buffer.from(String(source)).toString('base64');
  },
};

/** The value of a condition: `Fn::Equals`, `Fn::And`, `Fn::Or`, `Fn::Not` and references to other conditions. */
export function evaluateCondition(value: Value, scope: Scope, path: string): boolean {
  const [name, argument] = Object.entries((value ?? {}) as { [name: string]: Value })[0] ?? [];
  const operands = Array.isArray(argument) ? argument : [];
  const test = (operand: Value) => evaluateCondition(operand, scope, path);
  switch (name) {
    case 'Condition':
      return scope.condition(String(argument), path);
    case 'Fn::Equals': {
      const [left, right] = operands.map((operand) => evaluate(operand, scope, path));
      return JSON.stringify(left) === JSON.stringify(right);
    }
    case 'Fn::And':
      return operands.every(test);
    case 'Fn::Or':
      return operands.some(test);
    case 'Fn::Not':
      return !operands.every(test);
    default:
      scope.report(path, `the local cloud does not support the condition function ${name}`);
      return false;
  }
}

function substitute(pattern: string, known: { [name: string]: Value }, scope: Scope, path: string): Value {
  let pending = false;
  const result = pattern.replaceAll(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    const value = Object.hasOwn(known, name) ? (known[name] as Value) : reference(name, scope, path);
    if (isPending(value)) pending = true;
    return String(value);
  });
  return pending ? PENDING : result;
}

function reference(name: string, scope: Scope, path: string): Value {
  const [id, attribute] = splitAtDot(name);
  return attribute === undefined ? scope.ref(name, path) : scope.attribute(id, attribute, path);
}

/** `Table.Arn` → `['Table', 'Arn']`; an attribute may contain dots. */
function splitAtDot(name: string): [string, string?] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function listOf(argument: Value, scope: Scope, path: string): Value[] {
  return itemsOf(argument).map((item) => evaluate(item, scope, path));
}

/** An empty list for anything else, so that the function reports its missing arguments. */
function itemsOf(argument: Value): Value[] {
  return Array.isArray(argument) ? argument : [];
}

function malformed(name: string, scope: Scope, path: string): typeof PENDING {
  scope.report(path, `${name} is malformed here or is used in a form that the local cloud does not support`);
  return PENDING;
}
