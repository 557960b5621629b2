import { AwsError, unsupported } from '../../core/aws-error.ts';

type Test = (message: string) => boolean;

/**
 * Parses a CloudWatch Logs filter pattern: terms (`error "not found" -debug ?a ?b`) or conditions on a JSON event (`{
 * $.level = "ERROR" && $.latency > 100 }`). Throws `InvalidParameterException` for an invalid one.
 */
export function readFilterPattern(pattern: string): Test {
  const text = pattern.trim();
  if (text === '') return () => true;
  if (text.startsWith('[')) throw unsupported('logs', 'filter patterns for space-delimited events');
  if (text.startsWith('%')) throw unsupported('logs', 'regular expressions in filter patterns');
  if (!text.startsWith('{')) return terms(text);
  const condition = new ConditionParser(text).read();
  return (message) => {
    if (!message.startsWith('{')) return false;
    try {
      return condition(JSON.parse(message));
    } catch {
      return false;
    }
  };
}

function terms(text: string): Test {
  const all: string[] = [];
  const none: string[] = [];
  const any: string[] = [];
  for (const match of text.matchAll(/([-?]?)(?:"([^"]*)"|(\S+))/g)) {
    const list = match[1] === '-' ? none : match[1] === '?' ? any : all;
    list.push(match[2] ?? match[3] ?? '');
  }
  return (message) =>
    all.every((term) => message.includes(term)) &&
    !none.some((term) => message.includes(term)) &&
    (any.length === 0 || any.some((term) => message.includes(term)));
}

type Condition = (event: unknown) => boolean;

const TOKEN =
  /\s*(?:(\|\||&&|[(){}]|!=|<=|>=|=|<|>)|(\$(?:\.[\w-]+|\[\d+\])+)|"((?:[^"\\]|\\.)*)"|([^\s(){}=<>!&|]+))/y;

/** Parses `{ … }` with `&&`, `||` and parentheses; `&&` binds tighter. */
class ConditionParser {
  readonly #tokens: { text: string; kind: 'sign' | 'selector' | 'string' | 'word' }[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const match = TOKEN.exec(text);
      if (!match) throw invalid();
      const [, sign, selector, quoted, word] = match;
      if (sign !== undefined) this.#tokens.push({ text: sign, kind: 'sign' });
      else if (selector !== undefined) this.#tokens.push({ text: selector, kind: 'selector' });
      else if (quoted !== undefined) this.#tokens.push({ text: quoted.replaceAll(/\\(.)/g, '$1'), kind: 'string' });
      else this.#tokens.push({ text: word as string, kind: 'word' });
    }
  }

  read(): Condition {
    this.#expect('{');
    const condition = this.#either();
    this.#expect('}');
    if (this.#at < this.#tokens.length) throw invalid();
    return condition;
  }

  #either(): Condition {
    const branches = [this.#both()];
    while (this.#take('||')) branches.push(this.#both());
    return (event) => branches.some((branch) => branch(event));
  }

  #both(): Condition {
    const branches = [this.#single()];
    while (this.#take('&&')) branches.push(this.#single());
    return (event) => branches.every((branch) => branch(event));
  }

  #single(): Condition {
    if (this.#take('(')) {
      const inner = this.#either();
      this.#expect(')');
      return inner;
    }
    const selector = this.#next();
    if (selector.kind !== 'selector') throw invalid();
    const operator = this.#next().text;
    const operand = this.#next();
    return comparison(pathOf(selector.text), operator, operand.text, operand.kind === 'string');
  }

  #next() {
    const token = this.#tokens[this.#at];
    if (!token) throw invalid();
    this.#at += 1;
    return token;
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw invalid();
  }
}

function comparison(path: string[], operator: string, operand: string, quoted: boolean): Condition {
  const value = (event: unknown) =>
    path.reduce((each, part) => (each as Record<string, unknown> | undefined)?.[part], event);
  const number = Number(operand);
  const numeric = !quoted && operand !== '' && !Number.isNaN(number);
  switch (`${operator} ${operand}`.toUpperCase()) {
    case 'IS NULL':
      return (event) => value(event) === null;
    case 'IS TRUE':
      return (event) => value(event) === true;
    case 'IS FALSE':
      return (event) => value(event) === false;
    case 'NOT EXISTS':
      return (event) => value(event) === undefined;
  }
  const same = numeric ? (each: unknown) => each === number : wildcard(operand);
  switch (operator) {
    case '=':
      return (event) => same(value(event));
    case '!=':
      return (event) => value(event) !== undefined && !same(value(event));
  }
  const compare = { '<': lessThan, '<=': atMost, '>': greaterThan, '>=': atLeast }[operator];
  if (!compare || !numeric) throw invalid();
  return (event) => {
    const each = value(event);
    return typeof each === 'number' && compare(each, number);
  };
}

const lessThan = (a: number, b: number) => a < b;
const atMost = (a: number, b: number) => a <= b;
const greaterThan = (a: number, b: number) => a > b;
const atLeast = (a: number, b: number) => a >= b;

/** `*` at either end of a text matches anything. */
function wildcard(operand: string): (value: unknown) => boolean {
  const head = operand.endsWith('*');
  const tail = operand.startsWith('*');
  const part = operand.slice(tail ? 1 : 0, head ? Math.max(tail ? 1 : 0, operand.length - 1) : undefined);
  return (value) => {
    if (value === null || value === undefined || typeof value === 'object') return false;
    const text = String(value);
    if (head && tail) return text.includes(part);
    if (head) return text.startsWith(part);
    return tail ? text.endsWith(part) : text === part;
  };
}

/** `$.a.b[0]` → `['a', 'b', '0']` */
function pathOf(selector: string): string[] {
  return [...selector.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map((match) => (match[1] ?? match[2]) as string);
}

function invalid(): AwsError {
  return new AwsError('InvalidParameterException', 'Invalid filter pattern');
}
