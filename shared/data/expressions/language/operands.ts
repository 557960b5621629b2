import type { Span } from './diagnostics.ts';
import type { Token } from './lexer.ts';
import { dateLiteral, datetimeLiteral, numberLiteral } from './literals.ts';
import type { TokenStream } from './token-stream.ts';
import { type Literal, type Node, USER_PROPERTIES } from './tree.ts';

type ReadExpression = (stream: TokenStream) => Node;

const CONSTANTS: Record<string, Literal> = {
  TRUE: { type: 'boolean', value: true },
  FALSE: { type: 'boolean', value: false },
  NULL: { type: 'null' },
};

/** Words that cannot begin an operand. */
const RESERVED = new Set(
  'AND OR NOT IN IS BETWEEN WHEN THEN ELSE END FILTER WHERE LIKE ILIKE DISTINCT SELECT FROM OVER'.split(' '),
);

/** A literal, a reference, a call, CASE, or an expression in brackets. */
export function operand(stream: TokenStream, expression: ReadExpression): Node {
  const token = stream.peek();
  switch (token.kind) {
    case 'number':
      stream.next();
      return numberNode(stream, token, token.text);
    case 'string':
      stream.next();
      return literal(token, { type: 'string', text: token.value });
    case 'field':
    case 'measure':
      return stream.next() as Node;
    case 'invalid':
      stream.next();
      return { kind: 'error', from: token.from, to: token.to };
    case 'word':
      return wordOperand(stream, token.text.toUpperCase(), token, expression);
    default:
      return stream.isSymbol('(') ? inBrackets(stream, expression) : missing(stream);
  }
}

const literal = ({ from, to }: Span, value: Literal): Node => ({ kind: 'literal', literal: value, from, to });

function inBrackets(stream: TokenStream, expression: ReadExpression): Node {
  stream.next();
  const inner = expression(stream);
  stream.expectClosing(')');
  return inner;
}

/** Reports that a value is missing. A symbol that cannot continue the text is skipped. */
function missing(stream: TokenStream): Node {
  const { from } = stream.peek();
  stream.unexpected('a value', stream.isSymbol('*') ? 'Only COUNT(*) takes a star.' : undefined);
  const isEnd = stream.peek().kind === 'end' || stream.isSymbol(')') || stream.isSymbol(',');
  if (!isEnd && stream.peek().kind === 'symbol') stream.next();
  return { kind: 'error', from, to: Math.max(from, stream.lastEnd) };
}

function wordOperand(
  stream: TokenStream,
  word: string,
  token: Token & { text: string },
  expression: ReadExpression,
): Node {
  const isCall = stream.isSymbol('(', 1);
  if (Object.hasOwn(CONSTANTS, word)) {
    stream.next();
    return literal(token, CONSTANTS[word]!);
  }
  if (word === 'CASE') return stream.nested(() => caseOf(stream, expression));
  if ((word === 'DATE' || word === 'DATETIME') && stream.peek(1).kind === 'string') return dateNode(stream, word);
  if (word === 'USER' && stream.isSymbol('.', 1)) return userNode(stream);
  if (RESERVED.has(word)) {
    const from = token.from;
    stream.unexpected('a value', word === 'DISTINCT' ? 'Write COUNT_DISTINCT([table.field]).' : undefined);
    if (word === 'DISTINCT' || word === 'SELECT') stream.next();
    return { kind: 'error', from, to: Math.max(from, stream.lastEnd) };
  }
  stream.next();
  if (isCall) return call(stream, token, expression);
  const hint = `Write [${token.text}] for a field, {${token.text}} for a measure, or "${token.text}" for a text.`;
  stream.report(token, `The word ${token.text} has no meaning here.`, hint);
  return { kind: 'error', from: token.from, to: token.to };
}

function call(stream: TokenStream, token: Token & { text: string }, expression: ReadExpression): Node {
  const { from } = token;
  const nameSpan = { from, to: token.to };
  stream.next();
  const args: Node[] = [];
  const isStar = stream.isSymbol('*') && stream.isSymbol(')', 1);
  if (isStar) stream.next();
  else if (!stream.isSymbol(')')) {
    do {
      args.push(expression(stream));
      if (!stream.isSymbol(',') && !stream.isSymbol(')')) {
        stream.unexpected('a comma or )', stream.isWord('FILTER') ? 'FILTER comes after the bracket.' : undefined);
        stream.skipTo(',');
      }
    } while (stream.takeSymbol(','));
  }
  stream.expectClosing(')', 'a comma or )');
  const filter = stream.isWord('FILTER') ? filterOf(stream, expression) : undefined;
  const node = { kind: 'call' as const, name: token.text, nameSpan, args, isStar, from, to: stream.lastEnd };
  return filter ? { ...node, filter } : node;
}

function filterOf(stream: TokenStream, expression: ReadExpression): Node {
  stream.next();
  const hint = 'Write FILTER (WHERE condition).';
  if (!stream.takeSymbol('(')) stream.unexpected('(', hint);
  stream.expectWord('WHERE', hint);
  const condition = expression(stream);
  stream.expectClosing(')');
  return condition;
}

function caseOf(stream: TokenStream, expression: ReadExpression): Node {
  const { from } = stream.next();
  const subject = stream.isWord('WHEN') || stream.isWord('END') ? undefined : expression(stream);
  const branches: { when: Node; result: Node }[] = [];
  while (stream.takeWord('WHEN')) {
    const when = expression(stream);
    stream.expectWord('THEN', 'Write CASE WHEN condition THEN result ELSE other END.');
    branches.push({ when, result: expression(stream) });
  }
  if (branches.length === 0) stream.unexpected('WHEN', 'Write CASE WHEN condition THEN result ELSE other END.');
  const otherwise = stream.takeWord('ELSE') ? expression(stream) : undefined;
  stream.expectWord('END', 'A CASE ends with END.');
  return {
    kind: 'case',
    ...(subject ? { subject } : {}),
    branches,
    ...(otherwise ? { otherwise } : {}),
    from,
    to: stream.lastEnd,
  };
}

function userNode(stream: TokenStream): Node {
  const { from } = stream.next();
  stream.next();
  const property = stream.peek();
  const hint = `Write one of ${USER_PROPERTIES.map((name) => `user.${name}`).join(', ')} or user.attr("name").`;
  if (property.kind !== 'word') {
    stream.unexpected('a property of the user', hint);
    return { kind: 'error', from, to: stream.lastEnd };
  }
  stream.next();
  if (property.text.toLowerCase() !== 'attr') {
    return { kind: 'user', property: property.text, from, to: stream.lastEnd };
  }
  const name = stream.peek(1);
  if (!stream.isSymbol('(') || name.kind !== 'string' || !stream.isSymbol(')', 2)) {
    stream.unexpected('the name of an attribute in brackets', 'Write user.attr("region").');
    if (stream.takeSymbol('(')) stream.expectClosing(')');
    return { kind: 'error', from, to: stream.lastEnd };
  }
  for (let taken = 0; taken < 3; taken += 1) stream.next();
  return { kind: 'attribute', name: name.value, from, to: stream.lastEnd };
}

function numberNode(stream: TokenStream, span: Span, text: string): Node {
  const value = numberLiteral(text);
  if (value) return literal(span, value);
  stream.invalidLiteral(
    span,
    `The number ${text.slice(0, 50)} has too many digits.`,
    'Use at most 38 digits, or an exponent.',
  );
  return { kind: 'error', from: span.from, to: span.to };
}

function dateNode(stream: TokenStream, word: 'DATE' | 'DATETIME'): Node {
  const { from } = stream.next();
  const token = stream.next() as Token & { kind: 'string' };
  const span = { from, to: token.to };
  const value = word === 'DATE' ? dateLiteral(token.value) : datetimeLiteral(token.value);
  if (value) return literal(span, value);
  const hint = word === 'DATE' ? "Write DATE '2026-01-31'." : "Write DATETIME '2026-01-31T10:30:00Z'.";
  stream.invalidLiteral(span, `"${token.value}" is not a ${word.toLowerCase()}.`, hint);
  return { kind: 'error', ...span };
}
