import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { escapePointer } from '../../../platform/validation/json-pointer.ts';

/** For keys and links, whose attributes are read with them. */
const MAX_BYTES = 16 * 1024;
const NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]{0,62}$';
const NAME = new RegExp(NAME_PATTERN);
/** For members, whose attributes are an item of their own. */
export const MAX_MEMBER_BYTES = 256 * 1024;
/** As many values as a policy compares with a column. */
export const MAX_ATTRIBUTE_VALUES = 10_000;
export const MAX_ATTRIBUTE_TEXT = 256;

const Text = Type.String({ maxLength: MAX_ATTRIBUTE_TEXT });

/** The name of an attribute. */
export const AttributeName = Type.String({
  pattern: NAME_PATTERN,
  description: 'The name of the attribute: letters, digits and `_`, not starting with a digit.',
});

/** What is known about a person or a key, for rules about rows: such as `{"region": ["eu", "us"]}`. */
export const Attributes = Type.Record(
  Type.String(),
  Type.Union([Text, Type.Array(Text, { maxItems: MAX_ATTRIBUTE_VALUES, uniqueItems: true })]),
  {
    maxProperties: 50,
    description:
      'Texts or lists of texts by name, for rules about rows. A name starts with a letter or `_`, followed by letters, digits and `_`. At most 16 KiB as JSON; 256 KiB for a member.',
  },
);
export type Attributes = Static<typeof Attributes>;

/** The issues that the schema does not express. */
export function attributeIssues(
  attributes: Attributes,
  pointer = '/attributes',
  maxBytes: number = MAX_BYTES,
): Issue[] {
  const names = Object.keys(attributes).filter((name) => !NAME.test(name));
  const issues: Issue[] = names.map((name) => ({
    pointer: `${pointer}/${escapePointer(name)}`,
    code: 'ATTRIBUTE_NAME',
    message: 'must have a name of letters, digits and _, at most 63, that does not start with a digit',
  }));
  if (jsonBytes(attributes) > maxBytes)
    issues.push({ pointer, code: 'TOO_LARGE', message: `must be at most ${maxBytes} bytes as JSON` });
  return issues;
}
