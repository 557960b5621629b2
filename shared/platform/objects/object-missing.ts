/** Thrown when the object is gone, or is no longer the content that was asked for. */
export class ObjectMissing extends Error {
  readonly key: string;

  constructor(key: string, cause: unknown) {
    super(`the object ${key} is gone or was replaced`, { cause });
    this.name = 'ObjectMissing';
    this.key = key;
  }
}
