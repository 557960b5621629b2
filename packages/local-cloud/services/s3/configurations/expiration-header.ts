import type { S3Deps } from '../operation.ts';
import type { Version } from '../store/versions.ts';
import { bucketRules, concerns, expiresAt } from './lifecycle-rules.ts';

/** `x-amz-expiration`: the day on which a lifecycle rule will expire the object, and the rule. */
export function expirationHeader(deps: S3Deps, version: Version): Record<string, string> {
  if (!version.latest) return {};
  const [first] = bucketRules(deps, version.bucket)
    .filter((rule) => concerns(rule, version))
    .map((rule) => ({ rule, at: expiresAt(rule, version) }))
    .filter((expiry): expiry is typeof expiry & { at: number } => expiry.at !== undefined)
    .sort((a, b) => a.at - b.at);
  if (!first) return {};
  const date = new Date(first.at).toUTCString();
  return { 'x-amz-expiration': `expiry-date="${date}", rule-id="${encodeURIComponent(first.rule.id)}"` };
}
