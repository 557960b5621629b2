import { LruCache } from '../lru-cache.ts';
import { type AttributeValue, compareValues, type Item, typeOf, valueTypes } from '../values.ts';
import { parseCondition } from './condition-parser.ts';
import { ExpressionIssues } from './issues.ts';
import { bindPath, bindValue, type Path, pathText } from './paths.ts';
import type { Placeholders } from './placeholders.ts';
import type { CallSyntax, Comparator, ConditionSyntax, OperandSyntax } from './syntax.ts';

export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; value: AttributeValue }
  | { kind: 'size'; of: Operand };

/** A condition with names and values filled in and types checked. */
export type Condition =
  | { kind: 'and' | 'or'; left: Condition; right: Condition }
  | { kind: 'not'; condition: Condition }
  | { kind: 'compare'; comparator: Comparator; left: Operand; right: Operand }
  | { kind: 'between'; operand: Operand; low: Operand; high: Operand }
  | { kind: 'in'; operand: Operand; list: Operand[] }
  | { kind: 'exists'; path: Path; expected: boolean }
  | { kind: 'attribute_type'; operand: Operand; type: string }
  | { kind: 'begins_with' | 'contains'; operand: Operand; search: Operand };

const MAX_IN_LIST = 100;
const MAX_OPERATORS = 300;
const NEVER: Condition = { kind: 'in', operand: { kind: 'value', value: { NULL: true } }, list: [] };
const operandCounts: Record<string, number> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};
const cache = new LruCache<string, ConditionSyntax>(2000);

/**
 * Compiles a condition of the request member `kind` (`ConditionExpression`, `FilterExpression`,
 * `KeyConditionExpression`). Throws `ValidationException`.
 */
export function bindCondition(text: string, kind: string, placeholders: Placeholders): Condition {
  const syntax = cache.get(`${kind}\n${text}`, () => parseCondition(text, kind));
  const issues = new ExpressionIssues(kind);
  const condition = new Binder(placeholders, issues).condition(syntax);
  issues.throwFirst();
  return condition;
}

class Binder {
  readonly #placeholders: Placeholders;
  readonly #issues: ExpressionIssues;
  #operators = 0;

  constructor(placeholders: Placeholders, issues: ExpressionIssues) {
    this.#placeholders = placeholders;
    this.#issues = issues;
  }

  condition(syntax: ConditionSyntax): Condition {
    this.#operators += 1;
    if (this.#operators > MAX_OPERATORS) {
      this.#issues.add(
        'operandCount',
        `The expression contains too many operators; number of operators: ${this.#operators}`,
      );
      return NEVER;
    }
    switch (syntax.kind) {
      case 'and':
      case 'or':
        return { kind: syntax.kind, left: this.condition(syntax.left), right: this.condition(syntax.right) };
      case 'not':
        return { kind: 'not', condition: this.condition(syntax.condition) };
      case 'compare':
        return this.#comparison(syntax.comparator, syntax.left, syntax.right);
      case 'between':
        return this.#between(syntax.operand, syntax.low, syntax.high);
      case 'in':
        return this.#in(syntax.operand, syntax.list);
      case 'call':
        return this.#call(syntax);
    }
  }

  #comparison(comparator: Comparator, leftSyntax: OperandSyntax, rightSyntax: OperandSyntax): Condition {
    const [left, right] = [this.#operand(leftSyntax), this.#operand(rightSyntax)];
    this.#rejectSame(comparator, left, right);
    if (comparator !== '=' && comparator !== '<>') {
      for (const operand of [left, right]) this.#rejectUnordered(comparator, operand);
    }
    return { kind: 'compare', comparator, left, right };
  }

  #between(operandSyntax: OperandSyntax, lowSyntax: OperandSyntax, highSyntax: OperandSyntax): Condition {
    const operand = this.#operand(operandSyntax);
    const [low, high] = [this.#operand(lowSyntax), this.#operand(highSyntax)];
    for (const bound of [operand, low, high]) this.#rejectUnordered('BETWEEN', bound);
    if (low.kind === 'value' && high.kind === 'value') {
      const bounds = `lower bound operand: AttributeValue: ${valueText(low.value)}, upper bound operand: AttributeValue: ${valueText(high.value)}`;
      if (typeOf(low.value) !== typeOf(high.value)) {
        this.#issues.add(
          'operandType',
          `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`,
        );
      } else if ((compareValues(low.value, high.value) ?? 0) > 0) {
        this.#issues.add(
          'operandType',
          `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`,
        );
      }
    }
    return { kind: 'between', operand, low, high };
  }

  #in(operandSyntax: OperandSyntax, listSyntax: OperandSyntax[]): Condition {
    const operand = this.#operand(operandSyntax);
    const list = listSyntax.map((element) => this.#operand(element));
    if (list.length > MAX_IN_LIST) {
      this.#issues.add(
        'operandCount',
        `The IN operator is provided with too many operands; number of operands: ${list.length}`,
      );
    }
    return { kind: 'in', operand, list };
  }

  /** A function in the place of a condition. */
  #call(syntax: CallSyntax): Condition {
    const { name } = syntax;
    const operands = this.#operands(syntax);
    if (name === 'size') this.#misused(name);
    if (!operands || name === 'size') return NEVER;
    const [first, second] = operands as [Operand, Operand];
    switch (name) {
      case 'attribute_exists':
      case 'attribute_not_exists':
        if (first.kind !== 'path') {
          this.#issues.add(
            'operandType',
            `Operator or function requires a document path; operator or function: ${name}`,
          );
          return NEVER;
        }
        return { kind: 'exists', path: first.path, expected: name === 'attribute_exists' };
      case 'attribute_type':
        return { kind: 'attribute_type', operand: first, type: this.#typeName(second) };
      case 'begins_with':
        for (const operand of operands) {
          if (operand.kind !== 'value') continue;
          const type = typeOf(operand.value);
          if (type !== 'S' && type !== 'B') this.#wrongType(name, type);
        }
        return { kind: 'begins_with', operand: first, search: second };
      default:
        return { kind: 'contains', operand: first, search: second };
    }
  }

  #operand(syntax: OperandSyntax): Operand {
    switch (syntax.kind) {
      case 'path':
        return { kind: 'path', path: bindPath(syntax, this.#placeholders, this.#issues) };
      case 'value':
        return {
          kind: 'value',
          value: bindValue(syntax.placeholder, this.#placeholders, this.#issues) ?? { NULL: true },
        };
      case 'call': {
        this.#operators += 1;
        const operands = this.#operands(syntax);
        if (syntax.name !== 'size') {
          this.#misused(syntax.name);
          return { kind: 'value', value: { NULL: true } };
        }
        const of = operands?.[0] ?? { kind: 'value', value: { S: '' } };
        if (of.kind === 'value') {
          const type = typeOf(of.value);
          if (type === 'N' || type === 'BOOL' || type === 'NULL') this.#wrongType('size', type);
        }
        return { kind: 'size', of };
      }
    }
  }

  /** The operands of a function; undefined for an unknown function or a wrong number of operands. */
  #operands({ name, operands: syntax }: CallSyntax): Operand[] | undefined {
    const operands = syntax.map((operand) => this.#operand(operand));
    const expected = Object.hasOwn(operandCounts, name) ? operandCounts[name] : undefined;
    if (expected === undefined) {
      this.#issues.add('unknownFunction', `Invalid function name; function: ${name}`);
      return undefined;
    }
    if (operands.length !== expected) {
      this.#issues.add(
        'operandCount',
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
      );
      return undefined;
    }
    if (operands.length === 2) this.#rejectSame(name, operands[0] as Operand, operands[1] as Operand);
    return operands;
  }

  #typeName(operand: Operand): string {
    if (operand.kind !== 'value' || operand.value.S === undefined) {
      this.#wrongType(
        'attribute_type',
        operand.kind === 'value' ? typeOf(operand.value) : '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}',
      );
      return '';
    }
    const type = operand.value.S;
    if (!(valueTypes as readonly string[]).includes(type)) {
      this.#issues.add(
        'operandType',
        `Invalid attribute type name found; type: ${type}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`,
      );
    }
    return type;
  }

  #rejectSame(operator: string, left: Operand, right: Operand): void {
    if (left.kind !== 'path' || right.kind !== 'path' || left.path.length !== right.path.length) return;
    if (!left.path.every((part, index) => part === right.path[index])) return;
    this.#issues.add(
      'indistinct',
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${pathText(left.path)}`,
    );
  }

  #rejectUnordered(operator: string, operand: Operand): void {
    if (operand.kind !== 'value') return;
    const type = typeOf(operand.value);
    if (type === 'S' || type === 'N' || type === 'B') return;
    this.#issues.add(
      'operandType',
      `Incorrect operand type for operator or function; operator: ${operator}, operand type: ${type}`,
    );
  }

  #wrongType(name: string, type: string): void {
    this.#issues.add(
      'operandType',
      `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`,
    );
  }

  #misused(name: string): void {
    this.#issues.add(
      'misusedFunction',
      `The function is not allowed to be used this way in an expression; function: ${name}`,
    );
  }
}

/** `{S:a}`, the form of a value in error messages. */
export function valueText(value: AttributeValue): string {
  const type = typeOf(value);
  return `{${type}:${value[type] as Item[string][typeof type]}}`;
}

/** The top-level attributes that a condition reads. */
export function attributesOf(node: Condition | Operand, names = new Set<string>()): Set<string> {
  if ('path' in node) names.add(node.path[0] as string);
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) {
      for (const element of child) if (typeof element === 'object') attributesOf(element as Operand, names);
    } else if (typeof child === 'object' && 'kind' in child) {
      attributesOf(child as Condition | Operand, names);
    }
  }
  return names;
}
