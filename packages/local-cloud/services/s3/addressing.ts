import { S3Error } from './errors.ts';

const MAX_KEY_BYTES = 1024;

/** Splits a path-style path: `/bucket/key`, still percent-encoded as sent. Throws `InvalidURI`, `KeyTooLongError`. */
export function parsePath(path: string): { bucket?: string; key?: string } {
  const slash = path.indexOf('/', 1);
  const bucket = decode(path.slice(1, slash < 0 ? undefined : slash));
  const key = slash < 0 ? '' : decode(path.slice(slash + 1));
  if (bucket === '') return {};
  if (key === '') return { bucket };
  return { bucket, key: checkedKey(key) };
}

/** Reads `x-amz-copy-source`: `[/]bucket/key[?versionId=…]`, percent-encoded. Throws `InvalidArgument`. */
export function parseCopySource(header: string): { bucket: string; key: string; versionId?: string } {
  const [path, query] = splitOnce(header.startsWith('/') ? header.slice(1) : header, '?versionId=');
  const [bucket, key] = splitOnce(path, '/');
  if (!bucket || !key) {
    throw new S3Error('InvalidArgument', {
      message: 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
      fields: { ArgumentName: 'x-amz-copy-source', ArgumentValue: header },
    });
  }
  return { bucket: decode(bucket), key: checkedKey(decode(key)), versionId: query };
}

/** S3's `encoding-type=url`: like a form value, but slashes stay. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/');
}

/** S3 reads a plus sign in a path as a space, like in a form. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new S3Error('InvalidURI', { fields: { URI: text } });
  }
}

export function checkedKey(key: string): string {
  const size = Buffer.byteLength(key);
  if (size > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', { fields: { Size: size, MaxSizeAllowed: MAX_KEY_BYTES } });
  }
  return key;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
