import { fieldReference } from '../../../../shared/data/expressions/index.ts';
import type { Node } from '../../../../shared/data/expressions/language/tree.ts';

type Kind = 'integer' | 'decimal' | 'number' | 'string' | 'boolean' | 'date' | 'datetime';

const FIELDS: Record<Kind, string[]> = {
  integer: ['id', 'qty'],
  decimal: ['price'],
  number: ['score'],
  string: ['region', 'code'],
  boolean: ['paid'],
  date: ['day'],
  datetime: ['at', 'seen'],
};

const CONSTANTS: Record<Kind, string[]> = {
  integer: ['0', '1', '7', '12', '-3'],
  decimal: ['0.5', '2.25', '-1.75'],
  number: ['1e0', '2.5e-1'],
  string: ["''", "'Nord'", "'o''o'", '"a😀b"'],
  boolean: ['TRUE', 'FALSE'],
  date: ["DATE '2024-02-29'", "DATE '2023-12-31'"],
  datetime: ["DATETIME '2024-03-31T00:30:00Z'", "DATETIME '2024-10-27 02:30'"],
};

/** Texts of valid expressions of every kind, the same ones for the same source of random numbers. */
export class RandomExpressions {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  any(depth: number): string {
    return this.of(this.#pick(Object.keys(FIELDS) as Kind[]), depth);
  }

  /** An expression over the aggregates of groups. */
  measure(depth: number): string {
    if (depth === 0) {
      const inner = this.of(this.#pick(['integer', 'decimal'] as const), 2);
      const filter = this.#random() < 0.3 ? ` FILTER (WHERE ${this.of('boolean', 1)})` : '';
      return `${this.#pick(['SUM', 'COUNT', 'AVG', 'MIN', 'MAX', 'COUNT_DISTINCT'])}(${inner})${filter}`;
    }
    const [a, b] = [this.measure(depth - 1), this.measure(depth - 1)];
    return this.#pick([
      `(${a} + ${b})`,
      `${a} / ${b}`,
      `DIVIDE(${a}, ${b}, 0)`,
      `IF(${a} > ${b}, 1, 2)`,
      `COALESCE(${a}, 0)`,
    ]);
  }

  of(kind: Kind, depth: number): string {
    if (depth <= 0) return this.#random() < 0.75 ? `[${this.#pick(FIELDS[kind])}]` : this.#pick(CONSTANTS[kind]);
    const next = (of: Kind) => this.of(of, depth - 1 - Math.floor(this.#random() * 2));
    const choice = this.#random();
    if (choice < 0.1) return `IF(${next('boolean')}, ${next(kind)}, ${next(kind)})`;
    if (choice < 0.2) return `COALESCE(${next(kind)}, ${next(kind)})`;
    if (choice < 0.25)
      return `CASE WHEN ${next('boolean')} THEN ${next(kind)} WHEN ${next('boolean')} THEN ${next(kind)} END`;
    return this.#pick(this.#forms(kind, next));
  }

  /** Products stay small and steps of dates short, so that no value leaves the range of its type. */
  #forms(kind: Kind, next: (kind: Kind) => string): string[] {
    const operator = this.#pick(['=', '<>', '<', '<=', '>', '>=']);
    const compared = this.#pick(['integer', 'decimal', 'string', 'date', 'datetime'] as const);
    const unit = this.#pick(['day', 'week', 'month', 'quarter', 'year']);
    const forms: Record<Kind, () => string[]> = {
      integer: () => [
        `(${next('integer')} ${this.#pick(['+', '-'])} ${next('integer')})`,
        `-(${next('integer')})`,
        `MOD(${next('integer')}, ${next('integer')})`,
        `LENGTH(${next('string')})`,
        `YEAR(${next('date')}) - WEEK(${next('datetime')})`,
        `DATE_DIFF("${unit}", ${next('date')}, ${next('datetime')})`,
        `ABS(${next('integer')})`,
      ],
      decimal: () => [
        `(${next('decimal')} + ${next('integer')})`,
        `ROUND(${next('decimal')}, 1)`,
        `ABS(${next('decimal')})`,
      ],
      number: () => [
        `${next('decimal')} / ${next('integer')}`,
        `DIVIDE(${next('integer')}, ${next('decimal')}, 1)`,
        `TO_NUMBER(${next('string')})`,
      ],
      string: () => [
        `CONCAT(${next('string')}, "-", ${next('string')})`,
        `SUBSTRING(${next('string')}, ${next('integer')}, 3)`,
        `REPLACE(${next('string')}, "o", ${next('string')})`,
        `TRIM(${next('string')})`,
        `TO_TEXT(${next(this.#pick(['integer', 'date', 'datetime', 'boolean'] as const))})`,
      ],
      boolean: () => [
        `(${next(compared)} ${operator} ${next(compared)})`,
        `(${next('boolean')} ${this.#pick(['AND', 'OR'])} ${next('boolean')})`,
        `NOT (${next('boolean')})`,
        `(${next(compared)} IS ${this.#pick(['', 'NOT '])}NULL)`,
        `(${next('integer')} ${this.#pick(['', 'NOT '])}IN (${next('integer')}, 3, ${next('integer')}))`,
        `(${next('string')} BETWEEN ${next('string')} AND ${next('string')})`,
        `CONTAINS(${next('string')}, ${next('string')})`,
      ],
      date: () => [
        `DATE_TRUNC("${unit}", ${next('datetime')})`,
        `DATE_ADD("${unit}", [qty], ${next('date')})`,
        `TO_DATE(${next('datetime')})`,
      ],
      datetime: () => [`DATE_ADD("hour", [qty], ${next('datetime')})`, `DATE_TRUNC("hour", ${next('datetime')})`],
    };
    return forms[kind]();
  }
}

/** Writes a tree as text, with brackets around every part: the parser must read the same tree again. */
export function print(node: Node): string {
  const inner = (part: Node) => `(${print(part)})`;
  const not = 'isNegated' in node && node.isNegated ? 'NOT ' : '';
  switch (node.kind) {
    case 'literal':
      return printLiteral(node);
    case 'field':
      return fieldReference(node.alias, node.name);
    case 'arithmetic':
      return inner(node.first) + node.steps.map(({ operator, operand }) => ` ${operator} ${inner(operand)}`).join('');
    case 'negate':
      return `-${inner(node.operand)}`;
    case 'not':
      return `NOT ${inner(node.operand)}`;
    case 'logic':
      return node.operands.map(inner).join(` ${node.operator} `);
    case 'compare':
      return `${inner(node.left)} ${node.operator} ${inner(node.right)}`;
    case 'isNull':
      return `${inner(node.operand)} IS ${not}NULL`;
    case 'in':
      return `${inner(node.operand)} ${not}IN (${node.items.map(print).join(', ')})`;
    case 'between':
      return `${inner(node.operand)} ${not}BETWEEN ${inner(node.low)} AND ${inner(node.high)}`;
    case 'case': {
      const branches = node.branches.map(({ when, result }) => `WHEN ${print(when)} THEN ${print(result)}`).join(' ');
      return `CASE ${branches}${node.otherwise ? ` ELSE ${print(node.otherwise)}` : ''} END`;
    }
    case 'call':
      return `${node.name}(${node.args.map(print).join(', ')})${node.filter ? ` FILTER (WHERE ${print(node.filter)})` : ''}`;
    default:
      throw new TypeError(node.kind);
  }
}

function printLiteral({ literal }: Extract<Node, { kind: 'literal' }>): string {
  if (literal.type === 'null') return 'NULL';
  if (literal.type === 'boolean') return String(literal.value);
  if (literal.type === 'string') return `'${literal.text.replaceAll("'", "''")}'`;
  if (literal.type === 'date' || literal.type === 'datetime') return `${literal.type} '${literal.text}'`;
  return literal.text;
}
