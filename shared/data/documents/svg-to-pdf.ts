import { TABLE_CELL } from '../charts/draw-table.ts';
import type { PdfText } from './pdf-text.ts';
import type { SvgNode, SvgTree } from './svg-tree.ts';

type Doc = PDFKit.PDFDocument;

/** What elements take over from those around them. */
interface Inherited {
  fill: string;
  stroke: string;
  strokeWidth: number;
  opacity: number;
  fontSize: number;
  fontWeight: string;
  anchor: string;
  /** Of the cell of a table around it. */
  cell?: string | undefined;
}

const INITIAL: Inherited = {
  fill: '#000000',
  stroke: 'none',
  strokeWidth: 1,
  opacity: 1,
  fontSize: 16,
  fontWeight: 'normal',
  anchor: 'start',
};

interface Drawing {
  doc: Doc;
  text: PdfText;
  byId: SvgTree['byId'];
  part: Part | undefined;
}

/** What is drawn of a picture whose texts have a structure. */
export type Part = 'shapes' | { within(cell: string | undefined, draw: () => void): void };

/**
 * Draws the platform's own SVG (of Vega, and of its tables and numbers) with its upper left corner at the origin:
 * everything, only its shapes, or only its texts, each within an element of the structure.
 */
export function drawSvg(doc: Doc, text: PdfText, { root, byId }: SvgTree, part?: Part): void {
  for (const child of root.children) draw({ doc, text, byId, part }, child, inherit(INITIAL, root));
}

function draw(drawing: Drawing, node: SvgNode, around: Inherited): void {
  const { doc } = drawing;
  const { attributes } = node;
  if (attributes.display === 'none' || node.name === 'defs' || node.name === 'title') return;
  const style = inherit(around, node);
  const clip = attributes['clip-path'] && drawing.byId.get(idOf(attributes['clip-path']));
  const isMoved = attributes.transform !== undefined || clip;
  if (isMoved) doc.save();
  if (attributes.transform) transform(doc, attributes.transform);
  if (clip) {
    for (const { name, attributes: shape } of clip.children) outline(doc, name, shape);
    doc.clip();
  }
  const { part } = drawing;
  if (node.name === 'text') {
    if (typeof part === 'object') part.within(style.cell, () => drawText(drawing, node, style));
    else if (part === undefined) drawText(drawing, node, style);
  } else if (SHAPES.has(node.name) && typeof part !== 'object') paint(drawing, node, style);
  for (const child of node.name === 'text' ? [] : node.children) draw(drawing, child, style);
  if (isMoved) doc.restore();
}

function inherit(around: Inherited, { attributes: a }: SvgNode): Inherited {
  const opacity = Number(a.opacity ?? 1);
  return {
    fill: a.fill ?? around.fill,
    stroke: a.stroke ?? around.stroke,
    strokeWidth: a['stroke-width'] === undefined ? around.strokeWidth : Number.parseFloat(a['stroke-width']),
    opacity: around.opacity * (Number.isFinite(opacity) ? opacity : 1),
    fontSize: a['font-size'] === undefined ? around.fontSize : Number.parseFloat(a['font-size']),
    fontWeight: a['font-weight'] ?? around.fontWeight,
    anchor: a['text-anchor'] ?? around.anchor,
    cell: a[TABLE_CELL] ?? around.cell,
  };
}

const TRANSFORM = /(translate|rotate|scale)\(([^)]*)\)/g;

function transform(doc: Doc, text: string): void {
  for (const [, kind, list] of text.matchAll(TRANSFORM)) {
    const [x = 0, y] = list!.split(/[\s,]+/).map(Number);
    if (kind === 'translate') doc.translate(x, y ?? 0);
    else if (kind === 'rotate') doc.rotate(x);
    else doc.scale(x, y ?? x);
  }
}

const SHAPES = new Set(['path', 'rect', 'line', 'polyline', 'circle']);

/** Adds the shape to the current path. Returns false for one without extent. */
function outline(doc: Doc, name: string, a: Readonly<Record<string, string>>): boolean {
  const number = (key: string) => Number.parseFloat(a[key] ?? '0');
  switch (name) {
    case 'path':
      if (!a.d) return false;
      doc.path(a.d);
      return true;
    case 'rect': {
      const [x, y, width, height, radius] = ['x', 'y', 'width', 'height', 'rx'].map(number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      if (width <= 0 || height <= 0) return false;
      if (radius > 0) doc.roundedRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
      else doc.rect(x, y, width, height);
      return true;
    }
    case 'line':
      doc.moveTo(number('x1'), number('y1')).lineTo(number('x2'), number('y2'));
      return true;
    case 'circle':
      doc.circle(number('cx'), number('cy'), number('r'));
      return true;
    default: {
      const points = (a.points ?? '')
        .trim()
        .split(/[\s,]+/)
        .map(Number);
      for (let at = 0; at + 1 < points.length; at += 2) {
        if (at === 0) doc.moveTo(points[0]!, points[1]!);
        else doc.lineTo(points[at]!, points[at + 1]!);
      }
      return points.length >= 4;
    }
  }
}

function paint(drawing: Drawing, { name, attributes: a }: SvgNode, style: Inherited): void {
  const { doc } = drawing;
  const fill = name === 'line' ? undefined : colourOf(drawing, style.fill, a);
  const stroke = style.strokeWidth > 0 ? colourOf(drawing, style.stroke, a) : undefined;
  const [fillOpacity, strokeOpacity] = ['fill-opacity', 'stroke-opacity'].map(
    (key) => Number(a[key] ?? 1) * style.opacity,
  );
  if ((!fill || fillOpacity === 0) && (!stroke || strokeOpacity === 0)) return;
  doc.save();
  if (stroke) setPen(doc, style.strokeWidth, a);
  if (outline(doc, name, a)) {
    if (fill) doc.fillColor(fill, fillOpacity);
    if (stroke) doc.strokeColor(stroke, strokeOpacity);
    if (fill && stroke) doc.fillAndStroke();
    else if (fill) doc.fill();
    else doc.stroke();
  }
  doc.restore();
}

function setPen(doc: Doc, width: number, a: Readonly<Record<string, string>>): void {
  doc.lineWidth(width).lineJoin((a['stroke-linejoin'] ?? 'miter') as 'miter');
  if (a['stroke-linecap']) doc.lineCap(a['stroke-linecap'] as 'butt');
  const dash = (a['stroke-dasharray'] ?? '')
    .split(/[\s,]+/)
    .map(Number)
    .filter((length) => length > 0);
  if (dash.length > 0) doc.dash(dash[0]!, { space: dash[1] ?? dash[0]! });
}

const idOf = (reference: string): string => /#([^)"']+)/.exec(reference)?.[1] ?? '';

type Colour = string | ReturnType<Doc['linearGradient']>;

function colourOf({ doc, byId }: Drawing, value: string, a: Readonly<Record<string, string>>): Colour | undefined {
  if (value === 'none' || value === 'transparent') return undefined;
  if (!value.startsWith('url(')) return hexOf(value);
  const gradient = byId.get(idOf(value));
  if (!gradient) return undefined;
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) => Number.parseFloat(a[key] ?? '0'));
  const box = a.d ? boxOf(a.d) : { x: x!, y: y!, width: width!, height: height! };
  const at = (key: string, fallback: number) => Number.parseFloat(gradient.attributes[key] ?? String(fallback));
  const made = doc.linearGradient(
    box.x + at('x1', 0) * box.width,
    box.y + at('y1', 0) * box.height,
    box.x + at('x2', 1) * box.width,
    box.y + at('y2', 0) * box.height,
  );
  for (const { attributes } of gradient.children)
    made.stop(Number.parseFloat(attributes.offset ?? '0'), hexOf(attributes['stop-color'] ?? '#000000'));
  return made;
}

/** Of a rectangle that Vega writes as a path: `M0,0h100v16h-100Z`. */
function boxOf(d: string) {
  const [, x = '0', y = '0', width = '0', height = '0'] = /^M([-\d.]+),([-\d.]+)h([-\d.]+)v([-\d.]+)/.exec(d) ?? [];
  return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}

function hexOf(colour: string): string {
  const parts = /^rgba?\(([^)]*)\)/.exec(colour)?.[1]?.split(',').map(Number.parseFloat);
  if (!parts) return colour;
  return `#${parts
    .slice(0, 3)
    .map((part) => Math.round(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

function drawText(drawing: Drawing, node: SvgNode, style: Inherited): void {
  const { text } = drawing;
  const [x, y] = [Number.parseFloat(node.attributes.x ?? '0'), Number.parseFloat(node.attributes.y ?? '0')];
  const spans = node.children.filter(({ name }) => name === 'tspan');
  let below = 0;
  for (const line of spans.length > 0 ? spans : [node]) {
    below += line === node ? 0 : Number.parseFloat(line.attributes.dy ?? '0');
    const left = line === node ? x : Number.parseFloat(line.attributes.x ?? String(x));
    writeLine(text, line.text, { x: left, y: y + below, style, color: colourOf(drawing, style.fill, {}) });
  }
}

function writeLine(
  text: PdfText,
  content: string,
  { x, y, style, color }: { x: number; y: number; style: Inherited; color: Colour | undefined },
): void {
  if (content.trim() === '' || typeof color !== 'string') return;
  const isBold = style.fontWeight === 'bold' || Number(style.fontWeight) >= 600;
  const look = { size: style.fontSize, bold: isBold, color, opacity: style.opacity };
  const shift = { start: 0, middle: 0.5, end: 1 }[style.anchor] ?? 0;
  text.line(content, shift === 0 ? x : x - shift * text.width(content, look), y, look);
}
