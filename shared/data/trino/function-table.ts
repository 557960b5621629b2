import { fits, type Kind, type Typed } from './typed.ts';

/** Thrown if a function has a counterpart, but not for the given arguments. The message is a clause that says why. */
export class NotPortable extends Error {}

export function notPortable(message: string): never {
  throw new NotPortable(message);
}

/** How to write a function of DuckDB in Trino, for arguments of given kinds. */
export interface FunctionRule {
  takes: readonly Kind[];
  /** The kind of any further arguments. */
  more?: Kind;
  gives: string | ((args: readonly Typed[]) => string);
  write(...args: Typed[]): string;
}

export const rule = (
  takes: readonly Kind[],
  gives: FunctionRule['gives'],
  write: FunctionRule['write'],
  more?: Kind,
): FunctionRule => ({
  takes,
  gives,
  write,
  ...(more ? { more } : {}),
});

/** A function with the same name and arguments in Trino. */
export const same = (name: string, takes: readonly Kind[], gives: FunctionRule['gives']): FunctionRule =>
  rule(takes, gives, (...args) => `${name}(${args.map(({ sql }) => sql).join(', ')})`);

export function ruleFor(rules: readonly FunctionRule[], args: readonly Typed[]): FunctionRule | undefined {
  return rules.find(
    ({ takes, more }) =>
      (more ? args.length >= takes.length : args.length === takes.length) &&
      args.every((arg, index) => fits(arg.type, takes[index] ?? more!)),
  );
}

export const first = ([arg]: readonly Typed[]) => arg!.type;
export const asDouble = ({ sql, type }: Typed) => (type === 'double' ? sql : `CAST(${sql} AS double)`);

/** The value of a literal whole number of at least `least`. */
export function readInteger(arg: Typed | undefined, what: string, least: number): number {
  if (arg?.number === undefined || !Number.isInteger(arg.number) || arg.number < least) {
    notPortable(`${what} must be a literal whole number of at least ${least}`);
  }
  return arg.number;
}

/** The value of a string literal. */
export function literal(arg: Typed | undefined, what: string): string {
  return arg?.text ?? notPortable(`${what} must be a string literal`);
}
