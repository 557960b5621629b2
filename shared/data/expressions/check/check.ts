import { Diagnostics, suggestion } from '../language/diagnostics.ts';
import { parse } from '../language/parser.ts';
import { type Node, USER_PROPERTIES, type UserProperty } from '../language/tree.ts';
import type { Typed } from '../language/typed.ts';
import type { DataType, ExpressionType } from '../language/types.ts';
import { checkCall } from './calls.ts';
import { type CheckContext, type Purpose, unknown } from './context.ts';
import { typeName } from './conversions.ts';
import {
  checkArithmetic,
  checkBetween,
  checkCase,
  checkCompare,
  checkIn,
  checkIsNull,
  checkLogic,
  checkNegate,
  checkNot,
  condition,
} from './operators.ts';
import { checkField, checkMeasure } from './references.ts';
import { namesOf, type Scope } from './scope.ts';

export interface CheckOptions {
  purpose: Purpose;
  /** The id of the measure or calculated field that has this text, to find circles. */
  self?: string;
  /** The type that the author declared. A wider type of numbers is fine. */
  declaredType?: DataType;
}

/** Checks a text against what it may refer to. The tree is undefined for a text with errors. */
export function checkText(
  text: string,
  scope: Scope,
  options: CheckOptions,
  diagnostics: Diagnostics,
): Typed | undefined {
  const context: CheckContext = {
    names: namesOf(scope),
    purpose: options.purpose,
    diagnostics,
    path: options.self === undefined ? [] : [options.self],
    depth: 0,
    longest: { chain: 0 },
    bodies: new Map(),
    checkBody,
  };
  const typed = checkBody(text, context);
  if (!typed || diagnostics.hasErrors()) return undefined;
  if (options.purpose === 'policy') condition(context, typed, 'A policy');
  checkDeclaredType(typed, options.declaredType, diagnostics);
  return diagnostics.hasErrors() ? undefined : typed;
}

/** Checks a text, or the text of a measure or calculated field that it refers to. */
function checkBody(text: string, context: CheckContext): Typed | undefined {
  const parsed = new Diagnostics();
  const node = parse(text, parsed);
  const issues = parsed.sorted();
  for (const issue of issues) context.diagnostics.error(issue.code, issue, issue.message, issue.hint);
  const typed = check(node, context);
  if (issues.length > 0) return undefined;
  if (context.purpose === 'measure' && typed.level === 'row' && !context.diagnostics.hasErrors()) {
    const message = 'The measure does not aggregate its fields.';
    context.diagnostics.error(3002, node, message, 'Use an aggregate such as SUM(…), COUNT(…) or MAX(…).');
  }
  return typed;
}

function checkDeclaredType(typed: Typed, declared: DataType | undefined, diagnostics: Diagnostics): void {
  if (declared === undefined || typed.type === 'unknown' || typed.type === 'null') return;
  const widths: ExpressionType[] = ['integer', 'decimal', 'number'];
  const [has, may] = [widths.indexOf(typed.type), widths.indexOf(declared)];
  if (typed.type === declared || (has >= 0 && has <= may)) return;
  const message = `The expression gives ${typeName(typed.type)}, but the declared type is ${declared}.`;
  diagnostics.error(3005, typed, message, `Declare ${typed.type}, or convert the result.`);
}

function check(node: Node, context: CheckContext): Typed {
  switch (node.kind) {
    case 'literal':
      return { ...node, type: node.literal.type, level: 'constant' };
    case 'field':
      return checkField(context, node);
    case 'measure':
      return checkMeasure(context, node);
    case 'user':
      return checkUser(context, node);
    case 'attribute':
      return isPolicy(context, node) ? { ...node, type: 'attribute', level: 'constant' } : unknown(node);
    case 'arithmetic':
      return checkArithmetic(context, node, check);
    case 'negate':
      return checkNegate(context, node, check);
    case 'logic':
      return checkLogic(context, node, check);
    case 'not':
      return checkNot(context, node, check);
    case 'compare':
      return checkCompare(context, node, check);
    case 'in':
      return checkIn(context, node, check);
    case 'between':
      return checkBetween(context, node, check);
    case 'isNull':
      return checkIsNull(context, node, check);
    case 'case':
      return checkCase(context, node, check);
    case 'call':
      return checkCall(context, node, check);
    case 'error':
      return unknown(node);
  }
}

function checkUser(context: CheckContext, node: Extract<Node, { kind: 'user' }>): Typed {
  const property = node.property.toLowerCase();
  if (!(USER_PROPERTIES as readonly string[]).includes(property)) {
    const hint =
      suggestion(property, USER_PROPERTIES, (name) => `user.${name}`) ??
      `Write user.attr("${node.property}") for an attribute.`;
    context.diagnostics.error(2001, node, `There is no property user.${node.property}.`, hint);
    return unknown(node);
  }
  if (!isPolicy(context, node)) return unknown(node);
  const type = property === 'groups' ? 'texts' : 'string';
  return { ...node, property: property as UserProperty, type, level: 'constant' };
}

function isPolicy({ purpose, diagnostics }: CheckContext, node: Node): boolean {
  if (purpose === 'policy') return true;
  const message = 'Only policies of row-level security may refer to the user.';
  diagnostics.error(2001, node, message, 'Use fields and constants.');
  return false;
}
