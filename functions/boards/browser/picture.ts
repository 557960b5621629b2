const NAMESPACE = 'http://www.w3.org/2000/svg';
/** What the charts of the API are made of. Nothing here runs code, loads files or leads elsewhere. */
const ELEMENTS = new Set([
  ...['svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'title', 'desc'],
  ...['defs', 'clipPath', 'linearGradient', 'radialGradient', 'stop', 'mask'],
]);
const REFUSED_ATTRIBUTE = /^on|href$|^style$|^id$|^xmlns/i;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** A closing tag, an opening one with its attributes, or text. */
const TOKEN = /<\/([\w:]+)\s*>|<([\w:]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<[!?][^>]*>|([^<]+)/g;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

let pictures = 0;

/**
 * Makes the elements of a chart from its text, one by one, so that a page needs no policy that admits markup as text.
 * Ids are made unique, because all charts use the same ones. Throws if the text is no picture.
 */
export function pictureOf(text: string): SVGElement {
  pictures += 1;
  const prefix = `picture-${pictures}-`;
  const open: (SVGElement | undefined)[] = [];
  let root: SVGElement | undefined;
  for (const [, closing, opening, attributes = '', isEmpty, content] of text.matchAll(TOKEN)) {
    const parent = open.at(-1);
    if (closing !== undefined) open.pop();
    else if (content !== undefined) parent?.append(decoded(content));
    else if (opening !== undefined) {
      const isLeftOut = !ELEMENTS.has(opening) || (open.length > 0 && parent === undefined);
      const element = isLeftOut ? undefined : withAttributes(opening, attributes, prefix);
      if (element && parent) parent.append(element);
      root ??= element;
      if (!isEmpty) open.push(element);
    }
  }
  return scalable(root);
}

/** The picture is as large as its place. */
function scalable(picture: SVGElement | undefined): SVGElement {
  if (picture?.nodeName !== 'svg') throw new Error('The chart cannot be shown.');
  for (const name of ['width', 'height']) picture.removeAttribute(name);
  return picture;
}

function withAttributes(name: string, attributes: string, prefix: string): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [, key = '', one, other] of attributes.matchAll(ATTRIBUTE)) {
    const value = decoded(one ?? other ?? '');
    if (key === 'id') element.id = prefix + value;
    else if (!REFUSED_ATTRIBUTE.test(key)) element.setAttribute(key, value.replace(/^url\(#/, `url(#${prefix}`));
  }
  return element;
}

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
      : (ENTITIES[name] ?? whole),
  );
