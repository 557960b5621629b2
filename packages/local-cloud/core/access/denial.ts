/** Why a signed request has no caller. */
export type DenialReason =
  /** A part of the signature is missing or malformed. */
  | 'incomplete'
  | 'unknownKey'
  /** A session token that does not belong to the access key. */
  | 'invalidToken'
  | 'expiredToken'
  /** Signed too long ago, or in the future. */
  | 'skewed'
  | 'mismatch';

/** A request whose signature is not valid. Each service reports it in its own form. */
export class Denial extends Error {
  readonly reason: DenialReason;
  /** What S3 adds to its error: the canonical request and the like. */
  readonly fields: Record<string, string>;

  constructor(reason: DenialReason, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.name = 'Denial';
    this.reason = reason;
    this.fields = fields;
  }
}
