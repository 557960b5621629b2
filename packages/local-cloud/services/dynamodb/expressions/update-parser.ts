import { TokenReader } from './lexer.ts';
import { parseOperand, parsePath } from './operand-parser.ts';
import type { OperandSyntax, SetValueSyntax, UpdateAction } from './syntax.ts';

const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;
type Section = (typeof sections)[number];
const isKeyword = (word: string) => (sections as readonly string[]).includes(word.toUpperCase());

/** The sections of an update with their actions in written order, and the section that occurs twice. */
export interface UpdateSyntax {
  actions: UpdateAction[];
  repeatedSection?: Section;
}

export function parseUpdate(text: string): UpdateSyntax {
  const reader = new TokenReader(text, 'UpdateExpression');
  const result: UpdateSyntax = { actions: [] };
  const seen = new Set<Section>();
  do {
    const section = reader.next.kind === 'word' ? (reader.next.text.toUpperCase() as Section) : undefined;
    if (!section || !sections.includes(section)) throw reader.syntaxError();
    reader.take();
    if (seen.has(section)) result.repeatedSection ??= section;
    seen.add(section);
    do result.actions.push(parseAction(reader, section));
    while (reader.takeIf(','));
  } while (reader.next.kind !== 'end');
  return result;
}

function parseAction(reader: TokenReader, section: Section): UpdateAction {
  const path = parsePath(reader, isKeyword);
  switch (section) {
    case 'SET':
      reader.expect('=');
      return { kind: 'SET', path, value: parseSetValue(reader) };
    case 'REMOVE':
      return { kind: 'REMOVE', path };
    default:
      if (reader.next.kind !== 'value') throw reader.syntaxError();
      return { kind: section, path, value: { kind: 'value', placeholder: reader.take().text } };
  }
}

function parseSetValue(reader: TokenReader): SetValueSyntax {
  if (reader.is('(')) {
    const wrapped = parseWrapped(reader);
    return wrapped.kind === 'arithmetic' ? wrapped : parseArithmetic(reader, wrapped);
  }
  return parseArithmetic(reader, parseOperand(reader, isKeyword));
}

/** `(operand)` or `(operand + operand)` */
function parseWrapped(reader: TokenReader): SetValueSyntax {
  reader.expect('(');
  const value = parseSetValue(reader);
  reader.expect(')');
  return value;
}

function parseArithmetic(reader: TokenReader, left: OperandSyntax): SetValueSyntax {
  const operator = reader.is('+') ? '+' : reader.is('-') ? '-' : undefined;
  if (!operator) return left;
  reader.take();
  const right = reader.is('(') ? parseWrapped(reader) : parseOperand(reader, isKeyword);
  if (right.kind === 'arithmetic') throw reader.syntaxError();
  return { kind: 'arithmetic', operator, left, right };
}
