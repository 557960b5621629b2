import { notImplemented, S3Error } from '../errors.ts';
import { childNames, children, type XmlElement } from '../xml.ts';

/** The elements that a document may have: a text, or children by name. */
export type Shape = 'text' | { [element: string]: Shape };

/** Throws `NotImplemented` with the name of an element that is not in the shape, `MalformedXML` where text should be. */
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
