/**
 * An error as an AWS service reports it: the code is the wire name (`ResourceNotFoundException`), the message follows
 * AWS's own wording where it is documented. `fields` are further members of the error body (such as
 * `CancellationReasons`).
 */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: Record<string, unknown>;

  constructor(code: string, message: string, options: { status?: number; fields?: Record<string, unknown> } = {}) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = options.status ?? 400;
    this.fields = options.fields ?? {};
  }
}

/** The local cloud rejects anything unsupported by name instead of ignoring it. */
export function unsupported(service: string, what: string): AwsError {
  return new AwsError('UnsupportedOperationException', `The local cloud does not support ${what} (${service}).`);
}
