import { TokenReader } from './lexer.ts';
import { parseOperand } from './operand-parser.ts';
import { type Comparator, type ConditionSyntax, comparators, type OperandSyntax } from './syntax.ts';

const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN']);
const isKeyword = (word: string) => keywords.has(word.toUpperCase());

/** A parsed term; `wrapped` means in parentheses. */
type Term = { node: OperandSyntax | ConditionSyntax; wrapped: boolean };

/** Parses a condition, filter or key condition. Errors name `kind`, the request member that holds the text. */
export function parseCondition(text: string, kind: string): ConditionSyntax {
  const reader = new TokenReader(text, kind);
  const condition = asCondition(reader, parseOr(reader));
  reader.expectEnd();
  return condition;
}

function parseOr(reader: TokenReader): Term {
  let left = parseAnd(reader);
  while (reader.is('OR')) {
    const first = asCondition(reader, left);
    reader.take();
    left = { node: { kind: 'or', left: first, right: asCondition(reader, parseAnd(reader)) }, wrapped: false };
  }
  return left;
}

function parseAnd(reader: TokenReader): Term {
  let left = parseNot(reader);
  while (reader.is('AND')) {
    const first = asCondition(reader, left);
    reader.take();
    left = { node: { kind: 'and', left: first, right: asCondition(reader, parseNot(reader)) }, wrapped: false };
  }
  return left;
}

function parseNot(reader: TokenReader): Term {
  if (!reader.takeIf('NOT')) return parseComparison(reader);
  return { node: { kind: 'not', condition: asCondition(reader, parseNot(reader)) }, wrapped: false };
}

function parseComparison(reader: TokenReader): Term {
  const left = parseTerm(reader);
  const { text } = reader.next;
  if ((comparators as readonly string[]).includes(text)) {
    const operand = asOperand(reader, left);
    reader.take();
    const right = asOperand(reader, parseTerm(reader));
    return { node: { kind: 'compare', comparator: text as Comparator, left: operand, right }, wrapped: false };
  }
  if (reader.is('BETWEEN')) {
    const operand = asOperand(reader, left);
    reader.take();
    const low = asOperand(reader, parseTerm(reader));
    reader.expect('AND');
    const high = asOperand(reader, parseTerm(reader));
    return { node: { kind: 'between', operand, low, high }, wrapped: false };
  }
  if (reader.is('IN')) {
    const operand = asOperand(reader, left);
    reader.take();
    reader.expect('(');
    const list = [asOperand(reader, parseTerm(reader))];
    while (reader.takeIf(',')) list.push(asOperand(reader, parseTerm(reader)));
    reader.expect(')');
    return { node: { kind: 'in', operand, list }, wrapped: false };
  }
  return left;
}

function parseTerm(reader: TokenReader): Term {
  if (!reader.takeIf('(')) return { node: parseOperand(reader, isKeyword), wrapped: false };
  const inner = parseOr(reader);
  reader.expect(')');
  if (inner.wrapped) throw reader.error('The expression has redundant parentheses;');
  return { node: inner.node, wrapped: true };
}

function asCondition(reader: TokenReader, { node }: Term): ConditionSyntax {
  if (node.kind === 'path' || node.kind === 'value') throw reader.syntaxError();
  return node;
}

function asOperand(reader: TokenReader, { node }: Term): OperandSyntax {
  if (node.kind === 'path' || node.kind === 'value' || node.kind === 'call') return node;
  throw reader.syntaxError();
}
