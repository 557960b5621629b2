import { counted } from '../output.ts';
import { Untranslatable } from './report.ts';

/** Types of expressions; `unknown` for those that follow from what is not known. */
export type DataType =
  | 'string'
  | 'integer'
  | 'decimal'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'unknown';

/** An expression of the platform. */
export interface Expression {
  text: string;
  type: DataType;
  /** Whether it needs no brackets beside operators. */
  isAtom?: boolean;
  /** The name of the column, if it is nothing but that. */
  column?: string;
  /** Whether it is a measure, or combines some. */
  isAggregate?: boolean;
}

/** What names stand for. Both throw `Untranslatable`. */
export interface Scope {
  /** A bare column, also after the name of a table: `amount`, `orders.amount`. */
  column(name: string, table: string | undefined): Expression;
  /** The content of `{…}`, `${…}` or `{{ … }}`, and the name that follows a point. */
  reference(content: string, column: string | undefined): Expression;
  /** Whether functions such as SUM may occur. */
  aggregates?: boolean;
  /** Where the meaning may differ. */
  checks: string[];
}

/**
 * Translates an expression of SQL to one of the platform, if it means the same there. Throws `Untranslatable` for
 * everything else, such as functions that only one database has.
 */
export function translateSql(sql: string, scope: Scope): Expression {
  const parser = new Parser(tokensOf(sql), scope);
  const found = parser.expression(0);
  parser.expectEnd();
  return found;
}

type Token = { kind: 'name' | 'quoted' | 'number' | 'text' | 'reference' | 'sign'; text: string };

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|(?<reference>\$\{[^{}]*\}|\{\{[\s\S]*?\}\}|\{[^{}]*\})|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|(?<text>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\])|(?<name>[a-z_]\w*)|(?<sign><>|!=|<=|>=|\|\||::|[-+*/%(),.=<>])/iy;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < sql.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(sql)?.groups;
    if (!groups) throw new Untranslatable(`"${sql.slice(at, at + 20).trim()}" is not understood.`);
    const found = Object.entries(groups).find(([, text]) => text !== undefined);
    if (found) tokens.push({ kind: found[0] as Token['kind'], text: found[1]! });
  }
  return tokens;
}

const unquoted = ({ kind, text }: Token): string =>
  kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text;

/** How strongly operators bind. */
const LEVELS: Readonly<Record<string, number>> = {
  OR: 1,
  AND: 2,
  '=': 4,
  '<>': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  IN: 4,
  BETWEEN: 4,
  IS: 4,
  LIKE: 4,
  NOT: 4,
  '+': 5,
  '-': 5,
  '||': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  '::': 8,
};
const NOT_LEVEL = 3;
const UNARY_LEVEL = 7;

class Parser {
  readonly #tokens: Token[];
  readonly #scope: Scope;
  #at = 0;
  #depth = 0;

  constructor(tokens: Token[], scope: Scope) {
    this.#tokens = tokens;
    this.#scope = scope;
  }

  expectEnd(): void {
    const next = this.#tokens[this.#at];
    if (next) throw new Untranslatable(`"${next.text}" is not understood here.`);
  }

  expression(level: number): Expression {
    this.#depth += 1;
    if (this.#depth > 100) throw new Untranslatable('The expression is nested too deeply.');
    let left = this.#prefix();
    for (;;) {
      const operator = this.#operator();
      if (operator === undefined || LEVELS[operator]! <= level) break;
      this.#at += 1;
      left = this.#infix(left, operator);
    }
    this.#depth -= 1;
    return left;
  }

  #operator(): string | undefined {
    const token = this.#tokens[this.#at];
    if (!token || (token.kind !== 'sign' && token.kind !== 'name')) return undefined;
    const text = token.text.toUpperCase();
    return Object.hasOwn(LEVELS, text) ? text : undefined;
  }

  #infix(left: Expression, operator: string): Expression {
    if (operator === 'NOT') return this.#negated(left);
    if (operator === 'IS') return this.#is(left);
    if (operator === 'IN') return this.#isIn(left, '');
    if (operator === 'BETWEEN') return this.#between(left, '');
    if (operator === 'LIKE') return this.#like(left);
    if (operator === '::') return cast(left, this.#typeName());
    const right = this.expression(LEVELS[operator]!);
    if (operator === '%') return { text: `MOD(${left.text}, ${right.text})`, type: 'integer', isAtom: true };
    if (operator === '||') return joinTexts(left, right);
    return this.#combine(left, operator === '!=' ? '<>' : operator, right);
  }

  #combine(left: Expression, operator: string, right: Expression): Expression {
    const isAggregate = left.isAggregate || right.isAggregate;
    const text = `${bracketed(left)} ${operator} ${bracketed(right)}`;
    if (operator === '/' && left.type === 'integer' && right.type === 'integer')
      this.#scope.checks.push('The quotient of two integers has its fraction; some databases cut it off.');
    const type = /^[-+*/]$/.test(operator) ? arithmeticType(left.type, operator, right.type) : 'boolean';
    return { text, type, ...(isAggregate && { isAggregate }) };
  }

  #negated(left: Expression): Expression {
    const word = this.#word();
    if (word === 'IN') return this.#isIn(left, 'NOT ');
    if (word === 'BETWEEN') return this.#between(left, 'NOT ');
    if (word === 'LIKE') return { text: `NOT ${this.#like(left).text}`, type: 'boolean' };
    throw new Untranslatable(`"NOT ${word}" is not understood here.`);
  }

  #is(left: Expression): Expression {
    const isNot = this.#accept('NOT');
    const word = this.#word();
    if (word === 'NULL') return { text: `${bracketed(left)} IS ${isNot ? 'NOT ' : ''}NULL`, type: 'boolean' };
    if (word === 'TRUE' || word === 'FALSE') {
      const text = `COALESCE(${left.text} = ${word}, FALSE)`;
      return { text: isNot ? `NOT ${text}` : text, type: 'boolean' };
    }
    throw new Untranslatable(`"IS ${word}" is not understood.`);
  }

  #isIn(left: Expression, not: string): Expression {
    this.#expect('(');
    if (this.#peek('SELECT')) throw new Untranslatable('Expressions have no subqueries.');
    const items = this.#list();
    const text = `${bracketed(left)} IN (${items.map((item) => item.text).join(', ')})`;
    return { text: not === '' ? text : `NOT ${text}`, type: 'boolean' };
  }

  #between(left: Expression, not: string): Expression {
    const low = this.expression(LEVELS.BETWEEN!);
    this.#expect('AND');
    const high = this.expression(LEVELS.BETWEEN!);
    const text = `${bracketed(left)} BETWEEN ${bracketed(low)} AND ${bracketed(high)}`;
    return { text: not === '' ? text : `NOT ${bracketed({ text, type: 'boolean' })}`, type: 'boolean' };
  }

  #like(left: Expression): Expression {
    const token = this.#next();
    const [, start, part, end] = /^'(%?)([^%_\\]*)(%?)'$/.exec(token.text) ?? [];
    if (token.kind !== 'text' || part === undefined)
      throw new Untranslatable(`The pattern ${token.text} of LIKE has no counterpart.`);
    const constant = textConstant(part.replaceAll("''", "'"));
    if (!start && !end) return { text: `${bracketed(left)} = ${constant}`, type: 'boolean' };
    const name = start && end ? 'CONTAINS' : start ? 'ENDS_WITH' : 'STARTS_WITH';
    return { text: `${name}(${left.text}, ${constant})`, type: 'boolean', isAtom: true };
  }

  #prefix(): Expression {
    const token = this.#next();
    const { kind, text } = token;
    if (kind === 'number') return { text: text.replace(/^\./, '0.'), type: numberType(text), isAtom: true };
    if (kind === 'text') {
      return { text: textConstant(text.slice(1, -1).replaceAll("''", "'")), type: 'string', isAtom: true };
    }
    if (kind === 'reference') {
      const content = text.replace(/^(?:\$\{|\{\{|\{)\s*|\s*(?:\}\}|\})$/g, '');
      return this.#scope.reference(content, this.#accept('.') ? unquoted(this.#next()) : undefined);
    }
    if (kind === 'sign') return this.#signed(text);
    if (kind === 'name') {
      const word = text.toUpperCase();
      const special = SPECIAL[word];
      if (special) return special;
      if (word === 'NOT') return { text: `NOT ${bracketed(this.expression(NOT_LEVEL))}`, type: 'boolean' };
      if (word === 'CASE') return this.#case();
      if (word === 'CAST') return this.#cast();
      if (word === 'DATE' && this.#tokens[this.#at]?.kind === 'text')
        return { text: `DATE ${this.#next().text}`, type: 'date', isAtom: true };
      if (this.#peek('(')) return this.#call(word);
    }
    return this.#column(token);
  }

  #column(token: Token): Expression {
    const first = unquoted(token);
    if (!this.#accept('.')) return this.#scope.column(first, undefined);
    const column = this.#next();
    if (column.kind !== 'name' && column.kind !== 'quoted')
      throw new Untranslatable(`"${first}.${column.text}" is not understood.`);
    if (this.#peek('.')) throw new Untranslatable('Names of columns may have a table in front of them, but no schema.');
    return this.#scope.column(unquoted(column), first);
  }

  #signed(sign: string): Expression {
    if (sign === '(') {
      if (this.#peek('SELECT')) throw new Untranslatable('Expressions have no subqueries.');
      const inner = this.expression(0);
      this.#expect(')');
      return inner.isAtom ? inner : { ...inner, text: `(${inner.text})`, isAtom: true };
    }
    if (sign === '-') {
      const value = this.expression(UNARY_LEVEL);
      return { ...value, text: `-${bracketed(value)}`, isAtom: true };
    }
    if (sign === '+') return this.expression(UNARY_LEVEL);
    throw new Untranslatable(`"${sign}" is not understood here.`);
  }

  #case(): Expression {
    const subject = this.#peek('WHEN') ? undefined : this.expression(0);
    const parts: string[] = subject ? [`CASE ${subject.text}`] : ['CASE'];
    const types: DataType[] = [];
    let isAggregate = subject?.isAggregate;
    const branch = () => {
      const value = this.expression(0);
      isAggregate ||= value.isAggregate;
      return value;
    };
    while (this.#accept('WHEN')) {
      const condition = branch();
      this.#expect('THEN');
      const value = branch();
      types.push(value.type);
      parts.push(`WHEN ${condition.text} THEN ${value.text}`);
    }
    if (this.#accept('ELSE')) {
      const value = branch();
      types.push(value.type);
      parts.push(`ELSE ${value.text}`);
    }
    this.#expect('END');
    const text = `${parts.join(' ')} END`;
    return { text, type: commonType(types), isAtom: true, ...(isAggregate && { isAggregate }) };
  }

  #cast(): Expression {
    this.#expect('(');
    const value = this.expression(0);
    this.#expect('AS');
    const type = this.#typeName();
    this.#expect(')');
    return cast(value, type);
  }

  #typeName(): string {
    const name = this.#word();
    if (this.#accept('(')) while (!this.#accept(')')) this.#next();
    return name;
  }

  #call(name: string): Expression {
    this.#expect('(');
    if (AGGREGATES.has(name)) return this.#aggregate(name);
    const translate = FUNCTIONS[name];
    if (!translate) throw new Untranslatable(`The function ${name} has no counterpart.`);
    return translate(this.#list(), this.#scope.checks);
  }

  #aggregate(name: string): Expression {
    if (!this.#scope.aggregates) throw new Untranslatable(`${name} cannot be used for single rows.`);
    const isDistinct = this.#accept('DISTINCT');
    if (this.#peek('*')) throw new Untranslatable('COUNT(*) has no counterpart without a key of the table.');
    const value = this.expression(0);
    this.#expect(')');
    if (isDistinct && name !== 'COUNT') throw new Untranslatable(`${name}(DISTINCT …) has no counterpart.`);
    const called = isDistinct ? 'COUNT_DISTINCT' : name;
    return { text: `${called}(${value.text})`, type: 'number', isAtom: true, isAggregate: true };
  }

  /** The arguments up to the bracket that closes. */
  #list(): Expression[] {
    const items: Expression[] = [];
    if (this.#accept(')')) return items;
    do items.push(this.expression(0));
    while (this.#accept(','));
    this.#expect(')');
    return items;
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw new Untranslatable('The expression ends too early.');
    this.#at += 1;
    return token;
  }

  #word(): string {
    return this.#next().text.toUpperCase();
  }

  #peek(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.kind !== 'text' && token.text.toUpperCase() === text;
  }

  #accept(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw new Untranslatable(`"${text}" is missing in the expression.`);
  }
}

export const bracketed = ({ text, isAtom }: Expression): string => (isAtom ? text : `(${text})`);

export const textConstant = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const SPECIAL: Readonly<Record<string, Expression>> = {
  NULL: { text: 'NULL', type: 'unknown', isAtom: true },
  TRUE: { text: 'TRUE', type: 'boolean', isAtom: true },
  FALSE: { text: 'FALSE', type: 'boolean', isAtom: true },
  CURRENT_DATE: { text: 'TODAY()', type: 'date', isAtom: true },
  CURRENT_TIMESTAMP: { text: 'NOW()', type: 'datetime', isAtom: true },
};

const AGGREGATES = new Set(['SUM', 'COUNT', 'AVG', 'MIN', 'MAX']);

function numberType(text: string): DataType {
  if (/e/i.test(text)) return 'number';
  return text.includes('.') ? 'decimal' : 'integer';
}

const NUMBERS: readonly DataType[] = ['integer', 'decimal', 'number'];

function arithmeticType(left: DataType, operator: string, right: DataType): DataType {
  if (operator === '/') return 'number';
  if (!NUMBERS.includes(left) || !NUMBERS.includes(right)) return 'unknown';
  return NUMBERS[Math.max(NUMBERS.indexOf(left), NUMBERS.indexOf(right))]!;
}

function commonType(types: readonly DataType[]): DataType {
  const known = types.filter((type) => type !== 'unknown');
  if (known.length > 0 && known.every((type) => NUMBERS.includes(type)))
    return NUMBERS[Math.max(...known.map((type) => NUMBERS.indexOf(type)))]!;
  return new Set(known).size === 1 ? known[0]! : 'unknown';
}

/** In SQL a text that is null makes the result null; `CONCAT` of the platform leaves it out. */
function joinTexts(left: Expression, right: Expression): Expression {
  const nullable = [left, right].filter(({ text }) => !text.startsWith('"'));
  const joined = `CONCAT(${left.text}, ${right.text})`;
  const condition = nullable.map((each) => `${bracketed(each)} IS NULL`).join(' OR ');
  return { text: condition === '' ? joined : `IF(${condition}, NULL, ${joined})`, type: 'string', isAtom: true };
}

function cast(value: Expression, type: string): Expression {
  if (/^(VARCHAR|TEXT|STRING|CHAR|CHARACTER)$/.test(type))
    return { text: `TO_TEXT(${value.text})`, type: 'string', isAtom: true };
  if (/^(FLOAT|FLOAT8|FLOAT64|DOUBLE|REAL)$/.test(type))
    return { text: `TO_NUMBER(${value.text})`, type: 'number', isAtom: true };
  if (type === 'DATE') return { text: `TO_DATE(${value.text})`, type: 'date', isAtom: true };
  if (/^(INT|INTEGER|BIGINT|NUMERIC|DECIMAL)$/.test(type) && NUMBERS.includes(value.type)) {
    if (value.type === 'integer') return value;
  }
  throw new Untranslatable(`A cast to ${type} has no counterpart.`);
}

type Translate = (args: Expression[], checks: string[]) => Expression;

/** A function that the platform has under this name, with as many arguments. */
const same =
  (name: string, type: DataType | 'first' | 'common', counts: readonly number[]): Translate =>
  (args) => {
    if (!counts.includes(args.length))
      throw new Untranslatable(`${name} with ${counted(args.length, 'argument')} has no counterpart.`);
    const types = args.map((arg) => arg.type);
    const isAggregate = args.some((arg) => arg.isAggregate);
    return {
      text: `${name}(${args.map(({ text }) => text).join(', ')})`,
      type: type === 'first' ? (types[0] ?? 'unknown') : type === 'common' ? commonType(types) : type,
      isAtom: true,
      ...(isAggregate && { isAggregate }),
    };
  };

const MANY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const PERIODS = new Set(['day', 'week', 'month', 'quarter', 'year']);

const truncate: Translate = ([unit, date, ...more]) => {
  const [, name] = /^"(\w+)"$/.exec(unit?.text ?? '') ?? [];
  const period = name?.toLowerCase();
  if (!period || !PERIODS.has(period) || !date || more.length > 0)
    throw new Untranslatable('DATE_TRUNC has a counterpart for day, week, month, quarter and year.');
  return { text: `DATE_TRUNC("${period}", ${date.text})`, type: 'date', isAtom: true };
};

const concatenate: Translate = (args, checks) => {
  checks.push('CONCAT counts a missing text as empty; some databases make the whole text null.');
  return same('CONCAT', 'string', MANY)(args, checks);
};

const FUNCTIONS: Readonly<Record<string, Translate>> = {
  ABS: same('ABS', 'first', [1]),
  ROUND: same('ROUND', 'first', [1, 2]),
  CEIL: same('CEIL', 'integer', [1]),
  CEILING: same('CEIL', 'integer', [1]),
  FLOOR: same('FLOOR', 'integer', [1]),
  MOD: same('MOD', 'integer', [2]),
  POWER: same('POWER', 'number', [2]),
  POW: same('POWER', 'number', [2]),
  SQRT: same('SQRT', 'number', [1]),
  LN: same('LN', 'number', [1]),
  EXP: same('EXP', 'number', [1]),
  LOWER: same('LOWER', 'string', [1]),
  UPPER: same('UPPER', 'string', [1]),
  TRIM: same('TRIM', 'string', [1]),
  LENGTH: same('LENGTH', 'integer', [1]),
  SUBSTRING: same('SUBSTRING', 'string', [2, 3]),
  SUBSTR: same('SUBSTRING', 'string', [2, 3]),
  REPLACE: same('REPLACE', 'string', [3]),
  CONCAT: concatenate,
  COALESCE: same('COALESCE', 'common', MANY),
  IFNULL: same('COALESCE', 'common', [2]),
  NVL: same('COALESCE', 'common', [2]),
  NULLIF: same('NULLIF', 'first', [2]),
  IF: same('IF', 'unknown', [2, 3]),
  IFF: same('IF', 'unknown', [3]),
  DATE_TRUNC: truncate,
};
