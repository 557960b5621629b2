import { S3Error } from '../errors.ts';
import { type ChecksumAlgorithm, checksumAlgorithms, checksumElement } from '../payload/digests.ts';
import { children, childText, parseXml, type XmlElement } from '../xml.ts';
import { checkKnownElements, type Shape } from '../xml-shape.ts';
import { MAX_PARTS } from './upload-limits.ts';

const SHAPE: Shape = {
  Part: {
    ...{ PartNumber: 'text', ETag: 'text' },
    ...Object.fromEntries(checksumAlgorithms.map((algorithm) => [checksumElement(algorithm), 'text' as const])),
  },
};

/** A part in CompleteMultipartUpload's list. */
export interface ListedPart {
  number: number;
  etag: string;
  checksum?: { algorithm: ChecksumAlgorithm; value: string };
}

/** Reads `<CompleteMultipartUpload><Part>…`. Throws `MalformedXML`, `InvalidPartOrder`. */
export function readPartList(text: string): ListedPart[] {
  const document = parseXml(text, 'CompleteMultipartUpload');
  checkKnownElements(document, SHAPE, 'CompleteMultipartUpload');
  const listed = children(document, 'Part').map(readPart);
  if (listed.length === 0 || listed.length > MAX_PARTS) throw new S3Error('MalformedXML');
  const disordered = listed.some((part, index) => index > 0 && part.number <= listed[index - 1]!.number);
  if (disordered) throw new S3Error('InvalidPartOrder');
  return listed;
}

function readPart(part: XmlElement): ListedPart {
  const number = Number(childText(part, 'PartNumber'));
  const etag = childText(part, 'ETag');
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS || etag === undefined) {
    throw new S3Error('MalformedXML');
  }
  const algorithm = checksumAlgorithms.find((name) => childText(part, checksumElement(name)) !== undefined);
  return {
    number,
    etag: etag.replaceAll('"', ''),
    ...(algorithm ? { checksum: { algorithm, value: childText(part, checksumElement(algorithm)) ?? '' } } : {}),
  };
}
