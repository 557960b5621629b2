import { invalid } from '../errors.ts';

/** A token with its position in the text, which syntax errors quote. */
export interface Token {
  kind: 'word' | 'name' | 'value' | 'integer' | 'symbol' | 'end';
  text: string;
  start: number;
  end: number;
}

const MAX_EXPRESSION_BYTES = 4096;
const TOKEN =
  /[ \t\r\n]*(?:(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<name>#[A-Za-z0-9_]+)|(?<value>:[A-Za-z0-9_]+)|(?<integer>\d+)|(?<symbol><=|>=|<>|[=<>()[\].,+-]))/y;
const BLANK = /[ \t\r\n]*/y;

/** A cursor over the tokens of one expression. Its errors are `ValidationException`s in AWS's wording. */
export class TokenReader {
  readonly #source: string;
  readonly #kind: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  /** `kind` is the request member that holds the expression, such as `ConditionExpression`. */
  constructor(source: string, kind: string) {
    this.#source = source;
    this.#kind = kind;
    if (source.trim() === '') throw this.error('The expression can not be empty;');
    const size = Buffer.byteLength(source);
    if (size > MAX_EXPRESSION_BYTES) {
      throw this.error(`Expression size has exceeded the maximum allowed size; expression size: ${size}`);
    }
    this.#split();
  }

  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get following(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as Token;
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }

  /** Consumes the next token if it is the symbol or (case-insensitive) keyword `text`. */
  takeIf(text: string): boolean {
    if (!this.is(text)) return false;
    this.take();
    return true;
  }

  is(text: string): boolean {
    const { kind, text: found } = this.next;
    return kind === 'symbol' ? found === text : kind === 'word' && found.toUpperCase() === text;
  }

  expect(text: string): void {
    if (!this.takeIf(text)) throw this.syntaxError();
  }

  expectEnd(): void {
    if (this.next.kind !== 'end') throw this.syntaxError();
  }

  /** A syntax error at the next token, quoted with one neighbour on either side. */
  syntaxError(): Error {
    const token = this.next;
    const before = this.#tokens[this.#at - 1] ?? token;
    const after = this.#tokens[this.#at + 1] ?? token;
    const near = this.#source.slice(before.start, after.end).trim();
    return this.error(`Syntax error; token: "${token.kind === 'end' ? '<EOF>' : token.text}", near: "${near}"`);
  }

  error(message: string): Error {
    return invalid(`Invalid ${this.#kind}: ${message}`);
  }

  #split(): void {
    let at = 0;
    for (;;) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(this.#source);
      if (!match) break;
      at = TOKEN.lastIndex;
      const [kind, text] = Object.entries(match.groups as Record<string, string | undefined>).find(
        ([, found]) => found !== undefined,
      ) as [Token['kind'], string];
      this.#tokens.push({ kind, text, start: at - text.length, end: at });
    }
    BLANK.lastIndex = at;
    BLANK.exec(this.#source);
    at = BLANK.lastIndex;
    const length = this.#source.length;
    if (at < length) {
      this.#tokens.push({ kind: 'symbol', text: this.#source[at] as string, start: at, end: at + 1 });
      this.#at = this.#tokens.length - 1;
      this.#tokens.push({ kind: 'end', text: '', start: length, end: Math.min(length, at + 2) });
      throw this.syntaxError();
    }
    this.#tokens.push({ kind: 'end', text: '', start: length, end: length });
  }
}
