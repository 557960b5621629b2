import { AwsError } from '../../../core/aws-error.ts';

type TagList = readonly { key: string; value: string }[] | undefined;

const MAX_TAGS = 50;

export function tagMap(tags: TagList): Record<string, string> {
  return mergeTags({}, tags);
}

/** Adds or replaces tags. Throws `TooManyTags` beyond 50. */
export function mergeTags(tags: Record<string, string>, changes: TagList): Record<string, string> {
  const merged = { ...tags, ...Object.fromEntries((changes ?? []).map(({ key, value }) => [key, value])) };
  if (Object.keys(merged).length > MAX_TAGS)
    throw new AwsError('TooManyTags', `A resource has at most ${MAX_TAGS} tags`);
  return merged;
}
