import type { Diagnostics, Span } from './diagnostics.ts';
import type { Token } from './lexer.ts';
import type { Node } from './tree.ts';

const MAX_NESTING = 200;

/** Reads tokens from left to right and reports what does not fit. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #diagnostics: Diagnostics;
  #at = 0;
  #nesting = 0;
  /**
   * Set after an issue, until a comma or bracket where reading goes on for certain: what comes between is a
   * consequence.
   */
  #isLost = false;

  constructor(tokens: readonly Token[], diagnostics: Diagnostics) {
    this.#tokens = tokens;
    this.#diagnostics = diagnostics;
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    if (this.#at < this.#tokens.length - 1) this.#at += 1;
    if (token.kind === 'invalid') this.#isLost = true;
    if (token.kind === 'symbol' && (token.text === ',' || token.text === ')')) this.#isLost = false;
    return token;
  }

  /** The end of the last token read. */
  get lastEnd(): number {
    return this.#at === 0 ? 0 : this.#tokens[this.#at - 1]!.to;
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.toUpperCase() === word;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  takeWord(word: string): boolean {
    const isNext = this.isWord(word);
    if (isNext) this.next();
    return isNext;
  }

  takeSymbol(symbol: string): boolean {
    const isNext = this.isSymbol(symbol);
    if (isNext) this.next();
    return isNext;
  }

  expectWord(word: string, hint?: string): void {
    if (!this.takeWord(word)) this.unexpected(word, hint);
  }

  /** Takes a symbol. If others come first, they are reported once and skipped up to the end of the brackets. */
  expectClosing(symbol: string, what = symbol): void {
    if (this.takeSymbol(symbol)) return;
    this.unexpected(what);
    this.skipTo(symbol);
    this.takeSymbol(symbol);
  }

  /** Skips to one of the symbols or to the `)` that ends the brackets. */
  skipTo(...symbols: string[]): void {
    for (let depth = 0; this.peek().kind !== 'end'; this.next()) {
      if (depth === 0 && (this.isSymbol(')') || symbols.some((symbol) => this.isSymbol(symbol)))) return;
      if (this.isSymbol('(')) depth += 1;
      if (this.isSymbol(')')) depth -= 1;
    }
  }

  unexpected(expected: string, hint?: string): void {
    const token = this.peek();
    if (token.kind === 'invalid') this.#isLost = true;
    const found = token.kind === 'end' ? 'the expression ends' : `there is ${describe(token)}`;
    this.report(token, `Expected ${expected}, but ${found}.`, hint);
  }

  report(span: Span, message: string, hint?: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#diagnostics.error(1001, span, message, hint);
  }

  invalidLiteral(span: Span, message: string, hint: string): void {
    this.#diagnostics.error(1004, span, message, hint);
  }

  /** Reads one level of brackets deeper. The rest of a text that is nested too deeply is skipped. */
  nested(read: () => Node): Node {
    if (this.#nesting >= MAX_NESTING) {
      const { from } = this.peek();
      this.report(
        this.peek(),
        `The expression is nested more than ${MAX_NESTING} levels deep.`,
        'Move inner parts to measures.',
      );
      while (this.peek().kind !== 'end') this.next();
      this.#isLost = true;
      return { kind: 'error', from, to: this.lastEnd };
    }
    this.#nesting += 1;
    const node = read();
    this.#nesting -= 1;
    return node;
  }
}

function describe(token: Token): string {
  if (token.kind === 'word' || token.kind === 'symbol' || token.kind === 'number') return `"${token.text}"`;
  if (token.kind === 'field') return 'a field';
  return token.kind === 'measure' ? 'a measure' : 'a text';
}
