import { textWidth } from '../../shared/data/charts/text-width.ts';
import { readSvg, type SvgNode } from '../../shared/data/documents/svg-tree.ts';

/** A text of a picture, with the four corners of the box around it. */
export interface PlacedText {
  text: string;
  corners: readonly Point[];
}

type Point = readonly [number, number];
type Matrix = readonly [number, number, number, number, number, number];

const NO_TRANSFORM: Matrix = [1, 0, 0, 1, 0, 0];
/** Letters reach so far above and below their line, in shares of the size of the font. */
const [ABOVE, BELOW] = [0.72, 0.18];

/** The texts of a picture of the platform, as wide as they are in the widest common font. */
export function placedTexts(svg: string): PlacedText[] {
  const found: PlacedText[] = [];
  visit(readSvg(svg).root, { matrix: NO_TRANSFORM, fontSize: 11, anchor: 'start', isMono: false, isBold: false });
  return found;

  function visit(node: SvgNode, around: Inherited): void {
    const own = inherited(node, around);
    if (node.name === 'text') found.push(...linesOf(node, own));
    else for (const child of node.children) visit(child, own);
  }
}

interface Inherited {
  matrix: Matrix;
  fontSize: number;
  anchor: string;
  isMono: boolean;
  isBold: boolean;
}

function inherited({ name, attributes: a }: SvgNode, around: Inherited): Inherited {
  const moved = name === 'svg' ? times(around.matrix, [1, 0, 0, 1, Number(a.x ?? 0), Number(a.y ?? 0)]) : around.matrix;
  return {
    matrix: a.transform ? times(moved, matrixOf(a.transform)) : moved,
    fontSize: a['font-size'] ? Number.parseFloat(a['font-size']) : around.fontSize,
    anchor: a['text-anchor'] ?? around.anchor,
    isMono: a['font-family'] ? a['font-family'].includes('mono') : around.isMono,
    isBold: a['font-weight'] ? Number(a['font-weight']) >= 600 || a['font-weight'] === 'bold' : around.isBold,
  };
}

function linesOf(node: SvgNode, style: Inherited): PlacedText[] {
  const [x, y] = [Number(node.attributes.x ?? 0), Number(node.attributes.y ?? 0)];
  if (Number(node.attributes.opacity ?? 1) === 0) return [];
  const spans = node.children.filter(({ name }) => name === 'tspan');
  if (spans.length === 0) return node.text.trim() === '' ? [] : [placed(node.text, x, y, style)];
  let below = y;
  return spans.map((span) => {
    below += Number(span.attributes.dy ?? 0);
    return placed(span.text, Number(span.attributes.x ?? x), below, style);
  });
}

function placed(
  text: string,
  x: number,
  y: number,
  { matrix, fontSize, anchor, isMono, isBold }: Inherited,
): PlacedText {
  const width = textWidth(text, fontSize, { isMono, isBold });
  const left = x - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
  const [top, bottom] = [y - ABOVE * fontSize, y + BELOW * fontSize];
  const corners: Point[] = [
    [left, top],
    [left + width, top],
    [left + width, bottom],
    [left, bottom],
  ];
  return { text, corners: corners.map((corner) => apply(matrix, corner)) };
}

function matrixOf(text: string): Matrix {
  let matrix = NO_TRANSFORM;
  for (const [, kind, list] of text.matchAll(/(translate|rotate|scale)\(([^)]*)\)/g)) {
    const [a = 0, b] = list!.split(/[\s,]+/).map(Number);
    const angle = (a * Math.PI) / 180;
    const next: Matrix =
      kind === 'translate'
        ? [1, 0, 0, 1, a, b ?? 0]
        : kind === 'scale'
          ? [a, 0, 0, b ?? a, 0, 0]
          : [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
    matrix = times(matrix, next);
  }
  return matrix;
}

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];
const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [a * x + c * y + e, b * x + d * y + f];

/** Rounding, and the thin edges of letters. */
const TOLERANCE = 1.5;

/** The texts that reach beyond the picture. */
export const clippedTexts = (texts: readonly PlacedText[], width: number, height: number): string[] =>
  texts
    .filter(({ corners }) =>
      corners.some(([x, y]) => x < -TOLERANCE || y < -TOLERANCE || x > width + TOLERANCE || y > height + TOLERANCE),
    )
    .map(({ text }) => text);

/** The pairs of texts that cover each other. */
export function overlappingTexts(texts: readonly PlacedText[]): [string, string][] {
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter((other) => overlap(one.corners, other.corners))
      .map(({ text }): [string, string] => [one.text, text]),
  );
}

/** Two boxes are apart if they are so along a side of one of them. */
function overlap(one: readonly Point[], other: readonly Point[]): boolean {
  return [one, other].every(([origin, along, , down]) =>
    [along!, down!].every((end) => {
      const [x, y] = [end[0] - origin![0], end[1] - origin![1]];
      const length = Math.hypot(x, y) || 1;
      const [first, second] = [one, other].map((box) => box.map((corner) => (corner[0] * x + corner[1] * y) / length));
      return (
        Math.max(...first!) > Math.min(...second!) + TOLERANCE && Math.max(...second!) > Math.min(...first!) + TOLERANCE
      );
    }),
  );
}
