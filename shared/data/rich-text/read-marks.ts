import type { Issue } from '../../platform/errors/app-error.ts';
import { issueMessage, REQUIRED, unknownMember, unknownVariant } from '../../platform/validation/issue-messages.ts';
import { hasShape, shapeIssues } from '../../platform/validation/shape-issues.ts';
import { LINK } from './attributes.ts';
import { isSafeLink } from './links.ts';
import { MARK_TYPES, type MarkType, type RichMark } from './nodes.ts';
import { withoutDefaults } from './read-attributes.ts';
import { isObject, unknownMembers } from './reading.ts';

const MEMBERS = ['type', 'attrs'];

type Report = (issue: Issue) => void;

/** The marks of a node in the order in which editors keep them. */
export function readMarks(given: unknown, areAllowed: boolean, at: string, report: Report): RichMark[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    report({ pointer: at, ...issueMessage('type', { type: 'array' }) });
    return [];
  }
  if (given.length > 0 && !areAllowed) {
    report({
      pointer: at,
      code: 'MARK_NOT_ALLOWED',
      message: 'must be empty: only inline nodes outside of code blocks have marks',
    });
    return [];
  }
  if (given.length > MARK_TYPES.length) {
    report({ pointer: at, ...issueMessage('maxItems', { limit: MARK_TYPES.length }) });
    return [];
  }
  const marks = given.flatMap((mark, index) => readMark(mark, `${at}/${index}`, report) ?? []);
  const types = marks.map(({ type }) => type);
  if (new Set(types).size < types.length) report({ pointer: at, ...issueMessage('uniqueItems', {}) });
  if (types.includes('code') && types.length > 1) {
    report({ pointer: at, code: 'MARK_NOT_ALLOWED', message: 'must not combine code with other marks' });
  }
  return marks.sort((one, other) => MARK_TYPES.indexOf(one.type) - MARK_TYPES.indexOf(other.type));
}

function readMark(value: unknown, at: string, report: Report): RichMark | undefined {
  const fail = (issue: Issue) => void report(issue);
  if (!isObject(value)) return fail({ pointer: at, ...issueMessage('type', { type: 'object' }) });
  const { type, attrs = null } = value;
  if (type === undefined) return fail({ pointer: `${at}/type`, ...REQUIRED });
  if (!MARK_TYPES.includes(type as MarkType))
    return fail({ pointer: `${at}/type`, ...unknownVariant(type, MARK_TYPES) });
  for (const { name, pointer } of unknownMembers(value, MEMBERS)) {
    report({ pointer: at + pointer, ...unknownMember(name, MEMBERS) });
  }
  if (attrs !== null && !isObject(attrs)) {
    return fail({ pointer: `${at}/attrs`, ...issueMessage('type', { type: 'object' }) });
  }
  const given = withoutDefaults(attrs ?? {}, type as MarkType);
  return type === 'link'
    ? readLink(given, `${at}/attrs`, report)
    : readPlain(type as MarkType, given, `${at}/attrs`, report);
}

function readPlain(type: MarkType, attrs: object, at: string, report: Report): RichMark {
  for (const { name, pointer } of unknownMembers(attrs, [])) {
    report({ pointer: at + pointer, ...unknownMember(name, []) });
  }
  return { type };
}

function readLink(attrs: object, at: string, report: Report): RichMark | undefined {
  if (!hasShape(LINK, attrs)) {
    for (const issue of shapeIssues(LINK, attrs, at)) report(issue);
    return undefined;
  }
  if (!isSafeLink(attrs.href)) {
    const message = 'must be an address that begins with https://, http:// or mailto:';
    report({ pointer: `${at}/href`, code: 'LINK_NOT_ALLOWED', message });
  }
  return { type: 'link', attrs: { href: attrs.href } };
}
