import { notImplemented, S3Error } from './errors.ts';
import { childNames, children, type XmlElement } from './xml.ts';

/** The supported elements of a document: a text, or children by name. */
export type Shape = 'text' | { [element: string]: Shape };

/**
 * Throws `NotImplemented` with the name of an unsupported element, and `MalformedXML` for children in place of text.
 */
export function checkKnownElements(element: XmlElement, shape: Shape, name: string): void {
  if (shape === 'text') {
    if (typeof element !== 'string') throw new S3Error('MalformedXML');
    return;
  }
  for (const childName of childNames(element)) {
    const childShape = shape[childName];
    if (childShape === undefined) throw notImplemented(`${childName} in ${name}`);
    for (const found of children(element, childName)) checkKnownElements(found, childShape, childName);
  }
}
