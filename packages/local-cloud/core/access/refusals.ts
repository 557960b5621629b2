import { AwsError } from '../aws-error.ts';
import type { Denial, DenialReason } from './denial.ts';

/** Codes of most services; S3 and SQS have their own. */
const CODES: Record<DenialReason, string> = {
  incomplete: 'IncompleteSignatureException',
  unknownKey: 'UnrecognizedClientException',
  invalidToken: 'UnrecognizedClientException',
  expiredToken: 'ExpiredTokenException',
  skewed: 'InvalidSignatureException',
  mismatch: 'InvalidSignatureException',
};

/** A denial as most services report it: with status 400 over the JSON protocols, and 403 over REST. */
export function refusal({ reason, message }: Denial, status: 400 | 403): AwsError {
  return new AwsError(CODES[reason], message, { status });
}
