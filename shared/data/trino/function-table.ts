import { fits, type Kind, type Typed } from './typed.ts';

/** Thrown where a function moves, but not with what it is given here. */
export class NotPortable extends Error {}

export function no(message: string): never {
  throw new NotPortable(message);
}

/** How one function of DuckDB is said in Trino, for arguments of given kinds. */
export interface Saying {
  takes: readonly Kind[];
  /** Of any further arguments. */
  more?: Kind;
  gives: string | ((args: readonly Typed[]) => string);
  write(...args: Typed[]): string;
}

export const say = (takes: readonly Kind[], gives: Saying['gives'], write: Saying['write'], more?: Kind): Saying => ({
  takes,
  gives,
  write,
  ...(more ? { more } : {}),
});

/** The same name in Trino, with the arguments as they are. */
export const same = (name: string, takes: readonly Kind[], gives: Saying['gives']): Saying =>
  say(takes, gives, (...args) => `${name}(${args.map(({ sql }) => sql).join(', ')})`);

export function sayingFor(sayings: readonly Saying[], args: readonly Typed[]): Saying | undefined {
  return sayings.find(
    ({ takes, more }) =>
      (more ? args.length >= takes.length : args.length === takes.length) &&
      args.every((arg, index) => fits(arg.type, takes[index] ?? more!)),
  );
}

export const first = ([arg]: readonly Typed[]) => arg!.type;
export const asDouble = ({ sql, type }: Typed) => (type === 'double' ? sql : `CAST(${sql} AS double)`);

/** A count that is written in the text and not less than `least`. */
export function written(arg: Typed | undefined, what: string, least: number): number {
  if (arg?.number === undefined || !Number.isInteger(arg.number) || arg.number < least) {
    no(`${what} must be a whole number from ${least} on, written in the text`);
  }
  return arg.number;
}

/** A text that is written in the statement. */
export function literal(arg: Typed | undefined, what: string): string {
  return arg?.text ?? no(`${what} must be a text written in the statement`);
}
