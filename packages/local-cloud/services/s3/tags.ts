import { S3Error } from './errors.ts';
import type { Tags } from './model.ts';
import { child, children, childText, type XmlContent, type XmlElement } from './xml.ts';
import { checkKnownElements } from './xml-shape.ts';

const MAX_OBJECT_TAGS = 10;
const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Throws `InvalidTag` for an invalid tag, and `InvalidRequest` for too many. */
export function checkTags(pairs: [string, string][], max = MAX_OBJECT_TAGS): Tags {
  if (pairs.length > max) {
    throw new S3Error('InvalidRequest', { message: `Object tags cannot be greater than ${max}` });
  }
  const tags: Tags = {};
  for (const [key, value] of pairs) {
    if (Object.hasOwn(tags, key))
      throw new S3Error('InvalidTag', { message: 'Cannot provide multiple Tags with the same key' });
    if (key.length === 0 || key.length > 128 || !allowed.test(key)) {
      throw new S3Error('InvalidTag', { message: 'The TagKey you have provided is invalid', fields: { TagKey: key } });
    }
    if (value.length > 256 || !allowed.test(value)) {
      throw new S3Error('InvalidTag', {
        message: 'The TagValue you have provided is invalid',
        fields: { TagKey: key, TagValue: value },
      });
    }
    tags[key] = value;
  }
  return tags;
}

/** Reads `<Tagging><TagSet><Tag>…`. */
export function tagsFromXml(tagging: XmlElement, max = MAX_OBJECT_TAGS): Tags {
  checkKnownElements(tagging, { TagSet: { Tag: { Key: 'text', Value: 'text' } } }, 'Tagging');
  const set = child(tagging, 'TagSet');
  if (set === undefined) throw new S3Error('MalformedXML');
  const pairs = children(set, 'Tag').map((tag): [string, string] => {
    const key = childText(tag, 'Key');
    const value = childText(tag, 'Value');
    if (key === undefined || value === undefined) throw new S3Error('MalformedXML');
    return [key, value];
  });
  return checkTags(pairs, max);
}

export function tagsToXml(tags: Tags): XmlContent {
  return { TagSet: { Tag: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) } };
}
