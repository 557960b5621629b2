import { crc32, inflateSync } from 'node:zlib';

/** What a reader of PNG finds in a picture of 8-bit colors without filters. Throws if a checksum is wrong. */
export function pngOf(bytes: Buffer) {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const typed = bytes.subarray(at + 4, at + 8 + length);
    if (bytes.readUInt32BE(at + 8 + length) !== crc32(typed)) throw new Error('a checksum is wrong');
    chunks.set(typed.subarray(0, 4).toString(), typed.subarray(4));
    at += 12 + length;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT')!);
  const pixel = (x: number, y: number): string =>
    `#${lines
      .subarray(y * (width * 3 + 1) + 1 + x * 3)
      .subarray(0, 3)
      .toString('hex')}`;
  const colours = new Map<string, number>();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) colours.set(pixel(x, y), (colours.get(pixel(x, y)) ?? 0) + 1);
  const [keyword, text] = chunks.get('iTXt')!.toString().split('\0\0\0\0\0');
  return { width, height, pixel, colours, texts: { [keyword!]: text } };
}
