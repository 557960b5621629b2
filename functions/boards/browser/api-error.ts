/** A problem document of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | undefined;
  /** What is wrong in particular. */
  readonly reasons: readonly string[];

  constructor(
    status: number,
    code: string,
    detail: string,
    { retryAfter, reasons = [] }: { retryAfter?: number | undefined; reasons?: readonly string[] } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.reasons = reasons;
  }
}
