import type { Literal } from './language/tree.ts';
import type { Typed, TypedCall } from './language/typed.ts';

/** What a text calls the fields and measures of a tree. */
export interface PrintNames {
  field(id: string, table: string): string;
  measure(id: string): string;
}

/** A tree as people read it. The text is not parsed again: names stand as they are. */
export function printTree(tree: Typed, names: PrintNames): string {
  return new Printer(names).text(tree);
}

/** How strongly the parts of a text hold together. */
const LEVEL = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, sign: 7, atom: 8 } as const;

type Arithmetic = Extract<Typed, { kind: 'arithmetic' }>;
type Case = Extract<Typed, { kind: 'case' }>;

class Printer {
  readonly #names: PrintNames;

  constructor(names: PrintNames) {
    this.#names = names;
  }

  text(node: Typed): string {
    switch (node.kind) {
      case 'literal':
        return literalText(node.literal);
      case 'field':
        return this.#names.field(node.field, node.table);
      case 'measure':
        return this.#names.measure(node.measure);
      case 'user':
        return `user.${node.property}`;
      case 'attribute':
        return `user.attr("${node.name}")`;
      case 'convert':
        return this.text(node.operand);
      case 'arithmetic':
        return this.#arithmetic(node);
      case 'negate':
        return `-${this.#within(node.operand, LEVEL.sign)}`;
      case 'not':
        return `NOT ${this.#within(node.operand, LEVEL.not)}`;
      case 'logic':
        return this.#joined(node.operands, ` ${node.operator.toUpperCase()} `, LEVEL[node.operator] + 1);
      case 'case':
        return this.#case(node);
      case 'call':
        return this.#call(node);
      default:
        return this.#comparison(node);
    }
  }

  #within(node: Typed, level: number): string {
    return levelOf(node) < level ? `(${this.text(node)})` : this.text(node);
  }

  #joined(nodes: readonly Typed[], by: string, level: number = LEVEL.or): string {
    return nodes.map((node) => this.#within(node, level)).join(by);
  }

  #arithmetic({ first, steps }: Arithmetic): string {
    let level = LEVEL.product as number;
    let text = this.#within(first, isProduct(steps[0]?.operator) ? LEVEL.product : LEVEL.sum);
    for (const { operator, operand } of steps) {
      const next = isProduct(operator) ? LEVEL.product : LEVEL.sum;
      if (next > level) text = `(${text})`;
      text = `${text} ${operator} ${this.#within(operand, next + 1)}`;
      level = next;
    }
    return text;
  }

  #case({ branches, otherwise }: Case): string {
    const parts = branches.map(({ when, result }) => ` WHEN ${this.text(when)} THEN ${this.text(result)}`).join('');
    return `CASE${parts}${otherwise ? ` ELSE ${this.text(otherwise)}` : ''} END`;
  }

  #call({ name, args, isStar, filter }: TypedCall): string {
    const call = `${name}(${isStar ? '*' : this.#joined(args, ', ')})`;
    return filter ? `${call} FILTER (WHERE ${this.text(filter)})` : call;
  }

  #comparison(node: Typed): string {
    const not = 'isNegated' in node && node.isNegated ? 'NOT ' : '';
    const side = (part: Typed) => this.#within(part, LEVEL.sum);
    switch (node.kind) {
      case 'compare':
        return `${side(node.left)} ${node.operator} ${side(node.right)}`;
      case 'in':
        return `${side(node.operand)} ${not}IN ${node.isList ? side(node.items[0]!) : `(${this.#joined(node.items, ', ')})`}`;
      case 'between':
        return `${side(node.operand)} ${not}BETWEEN ${side(node.low)} AND ${side(node.high)}`;
      case 'isNull':
        return `${side(node.operand)} IS ${not}NULL`;
      default:
        throw new TypeError(`unknown node ${node.kind}`);
    }
  }
}

const isProduct = (operator: string | undefined) => operator === '*' || operator === '/';

function levelOf(node: Typed): number {
  switch (node.kind) {
    case 'convert':
      return levelOf(node.operand);
    case 'logic':
      return LEVEL[node.operator];
    case 'not':
      return LEVEL.not;
    case 'negate':
      return LEVEL.sign;
    case 'arithmetic':
      return isProduct(node.steps.at(-1)?.operator) ? LEVEL.product : LEVEL.sum;
    case 'compare':
    case 'in':
    case 'between':
    case 'isNull':
      return LEVEL.comparison;
    default:
      return LEVEL.atom;
  }
}

function literalText(literal: Literal): string {
  switch (literal.type) {
    case 'null':
      return 'NULL';
    case 'boolean':
      return literal.value ? 'TRUE' : 'FALSE';
    case 'string':
      return `"${literal.text.replaceAll('"', '""')}"`;
    case 'date':
      return `DATE '${literal.text}'`;
    case 'datetime':
      return `DATETIME '${literal.text}'`;
    default:
      return literal.text;
  }
}
