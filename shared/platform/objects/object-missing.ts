/** Thrown if the object does not exist, or no longer has the requested content. */
export class ObjectMissing extends Error {
  readonly key: string;

  constructor(key: string, cause: unknown) {
    super(`the object ${key} was deleted or replaced`, { cause });
    this.name = 'ObjectMissing';
    this.key = key;
  }
}
