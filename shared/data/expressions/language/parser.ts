import type { Diagnostics } from './diagnostics.ts';
import { tokens } from './lexer.ts';
import { operand } from './operands.ts';
import { TokenStream } from './token-stream.ts';
import type { ArithmeticOperator, CompareOperator, Node } from './tree.ts';

/** Parses a text. Never throws: issues are reported, and parts that cannot be read are `error` nodes. */
export function parse(text: string, diagnostics: Diagnostics): Node {
  const stream = new TokenStream(tokens(text, diagnostics), diagnostics);
  const node = expression(stream);
  if (stream.peek().kind !== 'end') {
    const isClosing = stream.isSymbol(')');
    stream.unexpected(isClosing ? 'the end' : 'an operator or the end', hintForOperator(stream));
  }
  return node;
}

const expression = (stream: TokenStream): Node => stream.nested(() => chainOf(stream, 'or', conjunction));
const conjunction = (stream: TokenStream): Node => chainOf(stream, 'and', negation);

function chainOf(stream: TokenStream, operator: 'and' | 'or', read: (stream: TokenStream) => Node): Node {
  const first = read(stream);
  if (!stream.isWord(operator.toUpperCase())) return first;
  const operands = [first];
  while (stream.takeWord(operator.toUpperCase())) operands.push(read(stream));
  return { kind: 'logic', operator, operands, from: first.from, to: stream.lastEnd };
}

function negation(stream: TokenStream): Node {
  const { from } = stream.peek();
  if (!stream.takeWord('NOT')) return comparison(stream);
  return stream.nested(() => ({ kind: 'not', operand: negation(stream), from, to: stream.lastEnd }));
}

const COMPARISONS: Record<string, CompareOperator> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** Comparisons do not chain: `a < b < c` is an error. */
function comparison(stream: TokenStream): Node {
  const left = sum(stream);
  const token = stream.peek();
  const operator = token.kind === 'symbol' ? COMPARISONS[token.text] : undefined;
  if (operator) {
    if (stream.isSymbol('==')) stream.report(token, 'The operator == does not exist.', 'Write a single =.');
    stream.next();
    const right = sum(stream);
    return { kind: 'compare', operator, left, right, from: left.from, to: stream.lastEnd };
  }
  return wordComparison(stream, left);
}

function wordComparison(stream: TokenStream, operand: Node): Node {
  const { from } = operand;
  if (stream.takeWord('IS')) {
    const isNegated = stream.takeWord('NOT');
    stream.expectWord('NULL', 'To compare with a value, write =.');
    return { kind: 'isNull', isNegated, operand, from, to: stream.lastEnd };
  }
  const isNegated = stream.isWord('NOT') && (stream.isWord('IN', 1) || stream.isWord('BETWEEN', 1));
  if (isNegated) stream.next();
  if (stream.takeWord('IN')) return listOf(stream, operand, isNegated);
  if (!stream.takeWord('BETWEEN')) return operand;
  const low = sum(stream);
  stream.expectWord('AND', 'Write BETWEEN low AND high.');
  const high = sum(stream);
  return { kind: 'between', isNegated, operand, low, high, from, to: stream.lastEnd };
}

/** `IN (a, b)`, or `IN user.attr("name")` without brackets. */
function listOf(stream: TokenStream, operand: Node, isNegated: boolean): Node {
  const { from } = operand;
  if (!stream.isSymbol('(')) {
    const list = sum(stream);
    if (list.kind !== 'user' && list.kind !== 'attribute' && list.kind !== 'error')
      stream.report(list, 'IN needs a list in brackets.', 'Write IN (first, second).');
    return { kind: 'in', isNegated, operand, items: [list], isList: true, from, to: stream.lastEnd };
  }
  stream.next();
  const items = [expression(stream)];
  while (stream.takeSymbol(',')) items.push(expression(stream));
  stream.expectClosing(')', 'a comma or )');
  return { kind: 'in', isNegated, operand, items, isList: false, from, to: stream.lastEnd };
}

const sum = (stream: TokenStream): Node => arithmetic(stream, ['+', '-'], product);
const product = (stream: TokenStream): Node => arithmetic(stream, ['*', '/'], sign);

function arithmetic(
  stream: TokenStream,
  operators: readonly ArithmeticOperator[],
  read: (stream: TokenStream) => Node,
): Node {
  const first = read(stream);
  const steps: { operator: ArithmeticOperator; operand: Node }[] = [];
  for (;;) {
    const operator = operators.find((symbol) => stream.isSymbol(symbol));
    if (!operator) break;
    stream.next();
    steps.push({ operator, operand: read(stream) });
  }
  if (steps.length === 0) return first;
  return { kind: 'arithmetic', first, steps, from: first.from, to: stream.lastEnd };
}

function sign(stream: TokenStream): Node {
  const { from } = stream.peek();
  if (stream.takeSymbol('+')) return stream.nested(() => sign(stream));
  if (!stream.takeSymbol('-')) return operand(stream, expression);
  return stream.nested(() => ({ kind: 'negate', operand: sign(stream), from, to: stream.lastEnd }));
}

function hintForOperator(stream: TokenStream): string | undefined {
  if (stream.isSymbol('||')) return 'Write CONCAT(first, second).';
  if (stream.isSymbol('&&')) return 'Write AND.';
  if (stream.isWord('LIKE')) return 'Use CONTAINS, STARTS_WITH or ENDS_WITH.';
  if (stream.isWord('ILIKE')) return 'Use CONTAINS, STARTS_WITH or ENDS_WITH with FOLD_CASE on both texts.';
  if (stream.isWord('FILTER')) return 'FILTER (WHERE …) belongs directly after an aggregate such as SUM(…).';
  return undefined;
}
