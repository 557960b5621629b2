import type { Typed } from '../language/typed.ts';

/** Ends an emission: the expression has no SQL, for the reason in the message. */
export class NotExpressible extends Error {
  readonly node: Typed;

  constructor(node: Typed, message: string) {
    super(message);
    this.node = node;
  }
}
