import { quoteIdentifier, quoteLiteral } from '../../duckdb/quoting.ts';
import { type CallSql, type FunctionEntry, functionOf } from '../catalogue/index.ts';
import { numberOf } from '../check/conversions.ts';
import type { Level, Typed, TypedCall } from '../language/typed.ts';
import type { ExpressionType } from '../language/types.ts';
import { literalSql } from './literals.ts';
import { NotExpressible } from './not-expressible.ts';
import type { EmitOptions, SqlColumn, SqlParameter } from './options.ts';
import { atom, LEVEL, type Sql, sqlType, within } from './sql.ts';
import { UserValues } from './user-values.ts';

const MAX_SQL_LENGTH = 1024 * 1024;

/** Writes the SQL of trees. Each node is written once, however often it is used. */
export class Emitter {
  readonly params: SqlParameter[];
  readonly user: UserValues;
  readonly #options: EmitOptions;
  readonly #zone: string;
  readonly #known = new Map<Typed, Sql>();

  constructor(options: EmitOptions) {
    this.#options = options;
    this.#zone = options.timezone ?? 'UTC';
    this.params = options.params ?? [];
    this.user = new UserValues(options, this.params);
  }

  sql(node: Typed): Sql {
    const known = this.#known.get(node);
    if (known) return known;
    const column = this.#options.replaced?.get(node);
    const sql = column ? this.#column(column, node) : this.#write(node);
    checkLength(sql, node);
    this.#known.set(node, sql);
    return sql;
  }

  #text(node: Typed, level: number): string {
    return within(this.sql(node), level);
  }

  #write(node: Typed): Sql {
    switch (node.kind) {
      case 'literal':
        return this.#options.bindsTexts && node.literal.type === 'string'
          ? this.user.text(node.literal.text)
          : literalSql(node.literal, this.#options.dialect, this.#zone);
      case 'field':
        return node.body ? this.sql(node.body) : this.#column(this.#options.columnOf(node), node);
      case 'measure':
        return this.sql(node.body);
      case 'user':
        return this.user.property(node);
      case 'attribute':
        return this.user.attribute(node, 'string');
      case 'convert':
        return this.#convert(node.operand, node.type);
      case 'arithmetic':
        return this.#arithmetic(node);
      case 'negate':
        return { text: `-${this.#text(node.operand, LEVEL.atom)}`, level: LEVEL.sign };
      case 'not':
        return { text: `NOT ${this.#text(node.operand, LEVEL.comparison)}`, level: LEVEL.not };
      case 'logic': {
        const level = LEVEL[node.operator] + 1;
        const operands = node.operands.map((operand) => this.#text(operand, level));
        return { text: operands.join(` ${node.operator.toUpperCase()} `), level: LEVEL[node.operator] };
      }
      case 'call':
        return this.#call(node);
      case 'case':
        return this.#case(node);
      default:
        return { text: this.#comparison(node), level: LEVEL.comparison };
    }
  }

  #column({ table, column, stored }: SqlColumn, { type }: Typed): Sql {
    const name = table === undefined ? quoteIdentifier(column) : `${quoteIdentifier(table)}.${quoteIdentifier(column)}`;
    if (stored === 'timestamp' && type === 'datetime') {
      const instant = { ...atom(`(${name} AT TIME ZONE 'UTC')`), utc: name };
      return this.#zone === 'UTC' ? { ...instant, wall: name } : instant;
    }
    if (stored === undefined && type === 'datetime' && this.#zone === 'UTC' && this.#options.dialect === 'duckdb') {
      return { ...atom(name), wall: utcOfInstant(name) };
    }
    if (stored === 'other' && type !== 'geo') return atom(`CAST(${name} AS ${sqlType(this.#options.dialect, type)})`);
    return atom(name);
  }

  #convert(operand: Typed, type: Typed['type']): Sql {
    if (operand.kind === 'attribute') return this.user.attribute(operand, type);
    const { text } = this.sql(operand);
    if (type === 'datetime' && operand.type === 'date') {
      const wall = `CAST(${text} AS timestamp)`;
      return { ...atom(this.#instant(wall)), wall };
    }
    // A null of the smallest decimal type takes the precision of the values beside it.
    const isNullDecimal = operand.type === 'null' && type === 'decimal' && this.#options.dialect === 'duckdb';
    const cast = atom(`CAST(${text} AS ${isNullDecimal ? 'DECIMAL(1, 0)' : sqlType(this.#options.dialect, type)})`);
    if (type === 'number') return { ...cast, isDouble: true };
    return type === 'integer' ? { ...cast, isWide: true } : cast;
  }

  #instant(wall: string): string {
    return `(${wall} AT TIME ZONE ${quoteLiteral(this.#zone)})`;
  }

  #arithmetic({ first, steps, level }: Extract<Typed, { kind: 'arithmetic' }>): Sql {
    let sql = this.sql(first);
    for (const { operator, operand, type } of steps) {
      const isNarrow = type === 'integer' && !sql.isWide && !this.sql(operand).isWide;
      const left = isNarrow ? this.#widened(sql, level) : sql;
      sql = operator === '/' ? this.#quotient(left, operand) : this.#step(left, operator, operand, type);
      checkLength(sql, operand);
    }
    return sql;
  }

  #quotient(left: Sql, divisor: Typed): Sql {
    const isExact = this.#options.dialect === 'postgres' && !left.isDouble;
    const dividend = isExact ? this.#cast(left, 'number') : within(left, LEVEL.product);
    return { text: `${dividend} / ${this.#divisor(divisor)}`, level: LEVEL.product, isDouble: true };
  }

  #step(left: Sql, operator: string, operand: Typed, type: ExpressionType): Sql {
    const right = this.sql(operand);
    const level = operator === '*' ? LEVEL.product : LEVEL.sum;
    const text = `${within(left, level)} ${operator} ${within(right, level + 1)}`;
    if (type === 'integer') return { text, level, isWide: true };
    return left.isDouble && right.isDouble ? { text, level, isDouble: true } : { text, level };
  }

  /** Integers are computed with 64 bits, and those of groups with as many as their sums have. */
  #widened(sql: Sql, level: Level): Sql {
    if (level !== 'aggregate') return atom(this.#cast(sql, 'integer'));
    return atom(`CAST(${sql.text} AS ${this.#options.dialect === 'duckdb' ? 'HUGEINT' : 'numeric'})`);
  }

  #cast(sql: Sql, type: ExpressionType): string {
    return `CAST(${sql.text} AS ${sqlType(this.#options.dialect, type)})`;
  }

  /** A divisor that cannot be zero. */
  #divisor(node: Typed): string {
    const sql = this.sql(node);
    const constant = numberOf(node);
    const isSafe = (constant !== undefined && constant !== 0) || isNullIfZero(node);
    return isSafe ? within(sql, LEVEL.sign) : `NULLIF(${sql.text}, 0)`;
  }

  #comparison(node: Typed): string {
    const not = 'isNegated' in node && node.isNegated ? 'NOT ' : '';
    switch (node.kind) {
      case 'isNull':
        return `${this.#text(node.operand, LEVEL.sum)} IS ${not}NULL`;
      case 'compare': {
        const utc = this.#inUtc([node.left, node.right]);
        if (utc) return `${utc[0]} ${node.operator} ${utc[1]}`;
        const isOrder = node.operator !== '=' && node.operator !== '<>';
        const left = isOrder ? this.ordered(node.left) : this.#text(node.left, LEVEL.sum);
        return `${left} ${node.operator} ${this.#text(node.right, LEVEL.sum)}`;
      }
      case 'between': {
        const utc = this.#inUtc([node.operand, node.low, node.high]);
        if (utc) return `${utc[0]} ${not}BETWEEN ${utc[1]} AND ${utc[2]}`;
        const [low, high] = [this.#text(node.low, LEVEL.sum), this.#text(node.high, LEVEL.sum)];
        return `${this.ordered(node.operand)} ${not}BETWEEN ${low} AND ${high}`;
      }
      case 'in': {
        const operand = this.#text(node.operand, LEVEL.sum);
        if (node.isList) return this.user.isInList(operand, node.items[0]!, node.operand.type, node.isNegated);
        return `${operand} ${not}IN (${node.items.map((item) => this.sql(item).text).join(', ')})`;
      }
      default:
        throw new TypeError(`unknown node ${node.kind}`);
    }
  }

  /**
   * The datetimes of a comparison in UTC, if one of them is stored so. The column is compared as it is, so that the
   * statistics of its files, or an index of a database, leave out what cannot fit.
   */
  #inUtc(nodes: readonly Typed[]): string[] | undefined {
    if (!nodes.every(({ type }) => type === 'datetime')) return undefined;
    const operands = nodes.map((node) => this.sql(node));
    if (!operands.some(({ utc }) => utc !== undefined)) return undefined;
    return operands.map((operand) => {
      const wall = this.#zone === 'UTC' ? operand.wall : undefined;
      return operand.utc ?? wall ?? `(${within(operand, LEVEL.atom)} AT TIME ZONE 'UTC')`;
    });
  }

  /** An operand of an order. DuckDB orders texts by code points, Postgres by the collation of the database. */
  ordered(node: Typed): string {
    const isText = node.type === 'string' && this.#options.dialect === 'postgres';
    return isText ? `${this.#text(node, LEVEL.atom)} COLLATE "C"` : this.#text(node, LEVEL.sum);
  }

  #case({ branches, otherwise }: Extract<Typed, { kind: 'case' }>): Sql {
    const parts = branches.map(({ when, result }) => `WHEN ${this.sql(when).text} THEN ${this.sql(result).text}`);
    if (otherwise) parts.push(`ELSE ${this.sql(otherwise).text}`);
    return atom(`CASE ${parts.join(' ')} END`);
  }

  #call(node: TypedCall): Sql {
    const entry = functionOf(node.name)!;
    const args = node.args.map((arg) => this.sql(arg));
    const wall = (index: number): string => {
      const arg = args[index]!;
      const operand = within(arg, LEVEL.atom);
      if (node.args[index]!.type === 'date') return operand;
      return arg.wall ?? `(${operand} AT TIME ZONE ${quoteLiteral(this.#zone)})`;
    };
    const call: CallSql = {
      args: args.map(({ text }) => text),
      operands: args.map((arg) => within(arg, LEVEL.atom)),
      types: node.args.map(({ type }) => type),
      literals: node.args.map((arg) => (arg.kind === 'literal' ? arg.literal : undefined)),
      filter: node.filter ? ` FILTER (WHERE ${this.sql(node.filter).text})` : '',
      wall,
      instant: (text) => this.#instant(text),
      now: () => `TIMESTAMPTZ ${quoteLiteral(`${this.#options.now.toISOString().slice(0, -1).replace('T', ' ')}+00`)}`,
      today: () => `DATE ${quoteLiteral(dayIn(this.#options.now, this.#zone))}`,
    };
    const sql = atom(entry.emit[this.#options.dialect](call));
    if (node.type === 'integer') return isSum(entry) ? { ...sql, isWide: true } : sql;
    const isAsGiven = node.name === 'COALESCE' || node.name === 'NULLIF' || node.level === 'aggregate';
    return node.type === 'number' && !isAsGiven ? { ...sql, isDouble: true } : sql;
  }
}

/**
 * The conversion of DuckDB asks a calendar for each row, which takes ten times as long. Only infinite times, which have
 * no microseconds, need it.
 */
const utcOfInstant = (column: string): string =>
  `COALESCE(make_timestamp(epoch_us(${column})), (${column} AT TIME ZONE 'UTC'))`;

/** Sums and counts have at least 64 bits. */
const isSum = ({ kind, additivity }: FunctionEntry) => kind === 'aggregate' && additivity === 'full';

function checkLength({ text }: Sql, node: Typed): void {
  if (text.length > MAX_SQL_LENGTH) throw new NotExpressible(node, 'The SQL of the expression is longer than 1 MB.');
}

const isNullIfZero = (node: Typed): boolean =>
  node.kind === 'call' && node.name === 'NULLIF' && numberOf(node.args[1]!) === 0;

/** The date of an instant in a time zone. */
function dayIn(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(at);
}
