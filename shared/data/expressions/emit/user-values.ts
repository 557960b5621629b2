import { typeName } from '../check/conversions.ts';
import { attributeValue } from '../language/attribute-values.ts';
import type { Typed } from '../language/typed.ts';
import type { ExpressionType } from '../language/types.ts';
import { NotExpressible } from './not-expressible.ts';
import type { EmitOptions, SqlParameter } from './options.ts';
import { atom, type Sql, sqlType } from './sql.ts';

/** Binds what is known about the caller, and texts that are to be bound. They never become part of the SQL. */
export class UserValues {
  /** Attributes that the policy reads and the caller does not have. */
  readonly missing = new Set<string>();
  readonly #options: EmitOptions;
  readonly #params: SqlParameter[];
  readonly #bound = new Map<string, string>();

  constructor(options: EmitOptions, params: SqlParameter[]) {
    this.#options = options;
    this.#params = params;
  }

  text(text: string): Sql {
    return atom(this.#bind(text, 'string'));
  }

  property(node: Extract<Typed, { kind: 'user' }>): Sql {
    const value = this.#principal(node)[node.property];
    return atom(typeof value === 'string' ? this.#bind(value, 'string') : this.#bindList(value, 'string'));
  }

  /** The single value of an attribute. */
  attribute(node: Extract<Typed, { kind: 'attribute' }>, type: ExpressionType): Sql {
    const values = this.#valuesOf(node);
    if (!values) return atom(`CAST(NULL AS ${sqlType(this.#options.dialect, type)})`);
    if (values.length !== 1) {
      const message = `The attribute "${node.name}" has ${values.length} values; compare it with IN instead of =.`;
      throw new NotExpressible(node, message);
    }
    return atom(this.#bind(converted(node, values, type)[0]!, type));
  }

  /**
   * The condition that a value is one of a list of the caller. It is null for values beside one that does not convert.
   */
  isInList(operand: string, list: Typed, operandType: ExpressionType, isNegated: boolean): string {
    const type = list.kind === 'attribute' ? operandType : 'string';
    const values = list.kind === 'attribute' ? this.#valuesOf(list) : this.#groups(list);
    if (!values) return 'FALSE';
    const known = converted(list, values, type);
    const parameter = this.#bindList(known, type);
    const condition =
      this.#options.dialect === 'postgres'
        ? `${operand} ${isNegated ? '<> ALL' : '= ANY'} (${parameter})`
        : `${operand} ${isNegated ? 'NOT IN' : 'IN'} (SELECT unnest(${parameter}))`;
    if (known.length === values.length) return condition;
    return isNegated ? `(${condition} AND NULL)` : `(${condition} OR NULL)`;
  }

  #groups(node: Typed): readonly string[] {
    return this.#principal(node).groups;
  }

  #valuesOf(node: Extract<Typed, { kind: 'attribute' }>): readonly string[] | undefined {
    const { attributes } = this.#principal(node);
    const value = Object.hasOwn(attributes, node.name) ? attributes[node.name]! : undefined;
    if (value === undefined) {
      this.missing.add(node.name);
      return undefined;
    }
    return typeof value === 'string' ? [value] : value;
  }

  #principal(node: Typed) {
    const { principal } = this.#options;
    if (!principal) throw new NotExpressible(node, 'The expression refers to the user, but the query has no user.');
    return principal;
  }

  #bind(value: string, type: ExpressionType): string {
    return this.#parameter(value, sqlType(this.#options.dialect, type));
  }

  #bindList(values: readonly string[], type: ExpressionType): string {
    return this.#parameter(values, `${sqlType(this.#options.dialect, type)}[]`);
  }

  /** A value that is used several times is bound once. */
  #parameter(value: SqlParameter, type: string): string {
    const key = JSON.stringify([type, value]);
    let parameter = this.#bound.get(key);
    if (!parameter) {
      parameter = `CAST($${this.#params.push(value)} AS ${type})`;
      this.#bound.set(key, parameter);
    }
    return parameter;
  }
}

/** The values that are of the type. Throws `NotExpressible` if there are values and none of them is. */
function converted(node: Typed, values: readonly string[], type: ExpressionType): readonly string[] {
  const known = values.flatMap((value) => attributeValue(value, type) ?? []);
  if (known.length > 0 || values.length === 0) return known;
  const message = `No value of the attribute is ${typeName(type)}, like the value that it is compared with.`;
  throw new NotExpressible(node, message);
}
