import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { S3Error } from './errors.ts';

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Content of an element to write: a list repeats the element, `undefined` omits it. */
export type XmlContent = string | number | boolean | undefined | XmlContent[] | { [element: string]: XmlContent };

/** Writes a document whose root is in S3's namespace; an `Error` document has none. */
export function xmlDocument(root: string, content: XmlContent): string {
  const namespace = root === 'Error' ? '' : ` xmlns="${S3_NAMESPACE}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${writeContent(content)}</${root}>`;
}

function writeContent(content: XmlContent): string {
  if (content === undefined) return '';
  if (typeof content !== 'object') return escapeText(String(content));
  if (Array.isArray(content)) return content.map(writeContent).join('');
  return Object.entries(content)
    .map(([name, value]) => writeElement(name, value))
    .join('');
}

function writeElement(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map((item) => writeElement(name, item)).join('');
  return `<${name}>${writeContent(content)}</${name}>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Keys may contain control characters, and a bare carriage return would be read as a line feed. */
function escapeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
  return text.replace(/[&<>"\u0000-\u001f\u007f-\u009f]/g, (char) => entities[char] ?? `&#${char.charCodeAt(0)};`);
}

/** A parsed element: its text, or its children by name (every child as a list). */
export type XmlElement = string | { [name: string]: XmlElement[] };

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  alwaysCreateTextNode: false,
  isArray: () => true,
});

/** Parses a request body whose root element must be `root`. Throws `MalformedXML`. */
export function parseXml(text: string, root: string): XmlElement {
  if (text.includes('<!DOCTYPE') || XMLValidator.validate(text) !== true) throw new S3Error('MalformedXML');
  const parsed = parser.parse(text) as { [name: string]: XmlElement[] };
  const element = parsed[root]?.[0];
  if (element === undefined) throw new S3Error('MalformedXML');
  return element;
}

/** The children called `name`; empty if there are none. */
export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  return typeof element === 'object' ? (element[name] ?? []) : [];
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return children(element, name)[0];
}

/** The text of the child called `name`. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  const found = child(element, name);
  return found === undefined ? undefined : textOf(found);
}

export function textOf(element: XmlElement): string {
  return typeof element === 'string' ? element : '';
}

/** Names of the children, ignoring white space between them. */
export function childNames(element: XmlElement): string[] {
  return typeof element === 'string' ? [] : Object.keys(element).filter((name) => name !== '#text');
}
