import { crc32, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import type { Picture } from './card-picture.ts';
import { PdfText } from './pdf-text.ts';
import { type Pixels, rasterized } from './raster.ts';
import { drawSvg } from './svg-to-pdf.ts';
import { readSvg } from './svg-tree.ts';

/** Of a screen with a high resolution. */
export const PIXELS_PER_POINT = 2;

/**
 * A picture as PNG, with its alternative text, and the characters that no font has. It is drawn as a page of PDF, and
 * so with the same fonts.
 */
export async function writePng({ svg, alternative }: Picture): Promise<{ bytes: Buffer; missing: string[] }> {
  const tree = readSvg(svg);
  let missing: string[] = [];
  const bytes = await pngOfPage(tree, alternative, (doc) => {
    const text = new PdfText(doc);
    drawSvg(doc, text, tree);
    missing = [...text.missing];
  });
  return { bytes, missing };
}

/** Draws one page of PDF, of a size in points, and returns it as PNG with two pixels for each point. */
export async function pngOfPage(
  { width, height }: { width: number; height: number },
  alternative: string,
  draw: (doc: PDFKit.PDFDocument) => void | Promise<void>,
): Promise<Buffer> {
  const doc = new PDFDocument({
    size: [width, height],
    margin: 0,
    font: '',
    compress: false,
  } as PDFKit.PDFDocumentOptions);
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve, reject) => doc.once('end', resolve).once('error', reject));
  await draw(doc);
  doc.end();
  await ended;
  return encodePng(await rasterized(Buffer.concat(pieces), { width, height }, PIXELS_PER_POINT), alternative);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUECOLOR = 2;

function encodePng({ width, height, data }: Pixels, alternative: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(TRUECOLOR, 9);
  // Each line begins with a byte that says that it is not filtered, which suits areas of one color.
  const lines = Buffer.alloc((width * 3 + 1) * height);
  let to = 0;
  for (let from = 0; from < data.length; from += 4) {
    if (from % (width * 4) === 0) lines[to++] = 0;
    lines[to++] = data[from]!;
    lines[to++] = data[from + 1]!;
    lines[to++] = data[from + 2]!;
  }
  const description = Buffer.concat([Buffer.from('Description\0\0\0\0\0', 'latin1'), Buffer.from(alternative)]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('iTXt', description),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
