import { nearest } from '../../../platform/text/nearest.ts';

/** A part of the text: UTF-16 offsets, `to` exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** The numbered diagnostics of expressions and of the queries that use them. Numbers never change their meaning. */
export const DIAGNOSTIC_CODES = {
  1001: 'The text does not follow the grammar, or it is too long or too deeply nested.',
  1002: 'There is no such function.',
  1003: 'A function has too few or too many arguments.',
  1004: 'A literal is not a valid value.',
  2001: 'There is no such field.',
  2002: 'There is no such measure.',
  2003: 'A name stands for several fields.',
  2004: 'A field is not available to the caller (error), or it is hidden (warning).',
  3001: 'A value has the wrong type.',
  3002: 'A measure does not aggregate its fields.',
  3003: 'An aggregate is inside another aggregate.',
  3004: 'Fields of single rows and aggregates are mixed.',
  3005: 'The declared data type differs from the one of the expression.',
  4001: 'Measures or calculated fields refer to each other in a circle.',
  4002: 'References are nested more than ten deep.',
  5001: 'No active relationships join the tables.',
  5002: 'The tables can be joined in several ways.',
  5003: 'An N:M join would count rows several times.',
  5004: 'The only relationship that joins the tables is inactive.',
  5005: 'PRIOR, TRAILING or CUMULATIVE has no dimension of time that fits.',
  5007: 'The question reads no field of a table.',
  5008: 'Too many paths of relationships lead to tables with row-level security.',
  5009: 'The table whose rows are wanted is unknown.',
  6001: 'The expression cannot be written in the SQL of the source.',
  9001: 'A divisor may be zero (warning).',
} as const;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

export interface Diagnostic extends Span {
  code: DiagnosticCode;
  severity: 'error' | 'warning';
  /** What is wrong, in one sentence. */
  message: string;
  /** How to fix it. */
  hint?: string;
}

const MAX_DIAGNOSTICS = 50;

/** Collects diagnostics, one of each code for a place. Beyond fifty, further ones are dropped. */
export class Diagnostics {
  readonly #found: Diagnostic[] = [];

  error(code: DiagnosticCode, span: Span, message: string, hint?: string): void {
    this.#add('error', code, span, message, hint);
  }

  warning(code: DiagnosticCode, span: Span, message: string, hint?: string): void {
    this.#add('warning', code, span, message, hint);
  }

  #add(
    severity: Diagnostic['severity'],
    code: DiagnosticCode,
    { from, to }: Span,
    message: string,
    hint?: string,
  ): void {
    const isKnown = this.#found.some((known) => known.code === code && known.from === from && known.to === to);
    if (isKnown || this.#found.length >= MAX_DIAGNOSTICS) return;
    this.#found.push({ code, severity, message, from, to, ...(hint === undefined ? {} : { hint }) });
  }

  hasErrors(): boolean {
    return this.#found.some(({ severity }) => severity === 'error');
  }

  sorted(): Diagnostic[] {
    return [...this.#found].sort((a, b) => a.from - b.from || a.to - b.to || a.code - b.code);
  }
}

/** A hint with the nearest known name; undefined if none is close. */
export function suggestion(
  name: string,
  known: Iterable<string>,
  write = (found: string) => found,
): string | undefined {
  const found = nearest(name, known);
  return found === undefined ? undefined : `Did you mean ${write(found)}?`;
}
