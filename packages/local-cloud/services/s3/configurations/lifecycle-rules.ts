import { S3Error } from '../errors.ts';
import type { Tags } from '../model.ts';
import type { S3Deps } from '../operation.ts';
import type { Version } from '../store/versions.ts';
import { tagsFromXml } from '../tags.ts';
import { child, children, childText, parseXml, type XmlElement } from '../xml.ts';
import { LIFECYCLE } from './kinds.ts';
import { parsedOnce } from './parsed-once.ts';

const filterShape = {
  Prefix: 'text',
  Tag: { Key: 'text', Value: 'text' },
  ObjectSizeGreaterThan: 'text',
  ObjectSizeLessThan: 'text',
} as const;

/** Without transitions: there is no colder storage, and a rule without effect would mislead. */
export const lifecycleShape = {
  Rule: {
    ID: 'text',
    Status: 'text',
    Prefix: 'text',
    Filter: { ...filterShape, And: filterShape },
    Expiration: { Days: 'text', Date: 'text', ExpiredObjectDeleteMarker: 'text' },
    NoncurrentVersionExpiration: { NoncurrentDays: 'text', NewerNoncurrentVersions: 'text' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 'text' },
  },
} as const;

const MAX_RULES = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface LifecycleRule {
  id: string;
  enabled: boolean;
  prefix: string;
  tags: Tags;
  sizeGreaterThan: number | undefined;
  sizeLessThan: number | undefined;
  expirationDays: number | undefined;
  /** Epoch milliseconds. */
  expirationDate: number | undefined;
  expiresLoneDeleteMarkers: boolean;
  noncurrentDays: number | undefined;
  newerNoncurrentVersions: number;
  abortUploadsAfterDays: number | undefined;
}

/** Throws `MalformedXML` or `InvalidRequest` for a configuration that S3 rejects. */
export function checkLifecycleConfiguration(configuration: XmlElement): void {
  const rules = readRules(configuration);
  if (rules.length === 0 || rules.length > MAX_RULES) throw new S3Error('MalformedXML');
  for (const [index, element] of children(configuration, 'Rule').entries()) {
    const status = childText(element, 'Status');
    if (status !== 'Enabled' && status !== 'Disabled') throw new S3Error('MalformedXML');
    const actions = ['Expiration', 'NoncurrentVersionExpiration', 'AbortIncompleteMultipartUpload'];
    if (!actions.some((name) => child(element, name) !== undefined)) {
      throw new S3Error('InvalidRequest', {
        message: 'At least one action needs to be specified in a rule.',
      });
    }
    const rule = rules[index]!;
    const days = [rule.expirationDays, rule.noncurrentDays, rule.abortUploadsAfterDays];
    if (days.some((count) => count !== undefined && !(Number.isInteger(count) && count > 0))) {
      throw new S3Error('InvalidArgument', { message: "'Days' in a lifecycle action must be a positive integer" });
    }
    if (rule.expirationDate !== undefined && !(rule.expirationDate % DAY_MS === 0)) {
      throw new S3Error('InvalidArgument', { message: "'Date' must be at midnight GMT" });
    }
  }
  if (new Set(rules.map((rule) => rule.id)).size < rules.length) {
    throw new S3Error('InvalidArgument', { message: 'Rule ID must be unique. Found same ID for more than one rule' });
  }
}

/** The enabled rules of a bucket. */
export function bucketRules(deps: S3Deps, bucket: string): LifecycleRule[] {
  const document = deps.store.buckets.document(bucket, LIFECYCLE);
  if (document === undefined) return [];
  return enabledRules(document);
}

const enabledRules = parsedOnce((document) =>
  readRules(parseXml(document, 'LifecycleConfiguration')).filter((rule) => rule.enabled),
);

/** Whether the rule's filter matches this object version. */
export function concerns(rule: LifecycleRule, version: Version): boolean {
  return (
    version.key.startsWith(rule.prefix) &&
    Object.entries(rule.tags).every(([key, value]) => version.tags[key] === value) &&
    (rule.sizeGreaterThan === undefined || version.size > rule.sizeGreaterThan) &&
    (rule.sizeLessThan === undefined || version.size < rule.sizeLessThan)
  );
}

/** When a latest version expires under the rule, in epoch milliseconds. */
export function expiresAt(rule: LifecycleRule, version: Version): number | undefined {
  if (rule.expirationDate !== undefined) return rule.expirationDate;
  if (rule.expirationDays === undefined) return undefined;
  return midnightAfter(version.modified, rule.expirationDays);
}

/** S3 rounds up to the next midnight UTC. */
export function midnightAfter(instant: number, days: number): number {
  return Math.ceil((instant + days * DAY_MS) / DAY_MS) * DAY_MS;
}

function readRules(configuration: XmlElement): LifecycleRule[] {
  return children(configuration, 'Rule').map((element, index) => {
    const filter = child(element, 'Filter');
    const scope = child(filter, 'And') ?? filter;
    const expiration = child(element, 'Expiration');
    const noncurrent = child(element, 'NoncurrentVersionExpiration');
    const date = childText(expiration, 'Date');
    return {
      id: childText(element, 'ID') ?? `rule-${index + 1}`,
      enabled: childText(element, 'Status') === 'Enabled',
      prefix: childText(scope, 'Prefix') ?? childText(element, 'Prefix') ?? '',
      tags: tagsFromXml({ TagSet: [{ Tag: children(scope, 'Tag') }] }),
      sizeGreaterThan: numberOf(scope, 'ObjectSizeGreaterThan'),
      sizeLessThan: numberOf(scope, 'ObjectSizeLessThan'),
      expirationDays: numberOf(expiration, 'Days'),
      expirationDate: date === undefined ? undefined : Date.parse(date),
      expiresLoneDeleteMarkers: childText(expiration, 'ExpiredObjectDeleteMarker') === 'true',
      noncurrentDays: numberOf(noncurrent, 'NoncurrentDays'),
      newerNoncurrentVersions: numberOf(noncurrent, 'NewerNoncurrentVersions') ?? 0,
      abortUploadsAfterDays: numberOf(child(element, 'AbortIncompleteMultipartUpload'), 'DaysAfterInitiation'),
    };
  });
}

function numberOf(element: XmlElement | undefined, name: string): number | undefined {
  const text = childText(element, name);
  return text === undefined ? undefined : Number(text);
}
