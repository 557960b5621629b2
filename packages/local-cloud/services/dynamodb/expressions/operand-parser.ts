import type { TokenReader } from './lexer.ts';
import type { CallSyntax, OperandSyntax, PathSyntax } from './syntax.ts';

/** `path`, `:value` or `function(operand, …)`; `isKeyword` recognises words that cannot be a name here. */
export function parseOperand(reader: TokenReader, isKeyword: (word: string) => boolean): OperandSyntax {
  if (reader.next.kind === 'value') return { kind: 'value', placeholder: reader.take().text };
  if (reader.next.kind === 'word' && reader.following.text === '(' && !isKeyword(reader.next.text)) {
    return parseCall(reader, isKeyword);
  }
  return parsePath(reader, isKeyword);
}

function parseCall(reader: TokenReader, isKeyword: (word: string) => boolean): CallSyntax {
  const name = reader.take().text;
  reader.expect('(');
  const operands = [parseOperand(reader, isKeyword)];
  while (reader.takeIf(',')) operands.push(parseOperand(reader, isKeyword));
  reader.expect(')');
  return { kind: 'call', name, operands };
}

/** `a.#b[3].c` */
export function parsePath(reader: TokenReader, isKeyword: (word: string) => boolean): PathSyntax {
  const parts: (string | number)[] = [parseName(reader, isKeyword)];
  for (;;) {
    if (reader.takeIf('.')) {
      parts.push(parseName(reader, isKeyword));
    } else if (reader.takeIf('[')) {
      if (reader.next.kind !== 'integer') throw reader.syntaxError();
      parts.push(Number(reader.take().text));
      reader.expect(']');
    } else {
      return { kind: 'path', parts };
    }
  }
}

function parseName(reader: TokenReader, isKeyword: (word: string) => boolean): string {
  const { kind, text } = reader.next;
  if (kind === 'name' || (kind === 'word' && !isKeyword(text))) return reader.take().text;
  throw reader.syntaxError();
}
