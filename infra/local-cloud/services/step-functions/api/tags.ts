import { AwsError } from '../../../core/aws-error.ts';

type TagList = readonly { key: string; value: string }[] | undefined;

const MOST_TAGS = 50;

export function tagMap(tags: TagList): Record<string, string> {
  return mergeTags({}, tags);
}

/** The tags after adding or replacing some. Throws `TooManyTags` beyond 50. */
export function mergeTags(tags: Record<string, string>, changes: TagList): Record<string, string> {
  const merged = { ...tags, ...Object.fromEntries((changes ?? []).map(({ key, value }) => [key, value])) };
  if (Object.keys(merged).length > MOST_TAGS)
    throw new AwsError('TooManyTags', `A resource has at most ${MOST_TAGS} tags`);
  return merged;
}
