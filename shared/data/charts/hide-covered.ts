interface Bounds {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** The part of a scene of Vega that matters here. */
interface SceneNode {
  marktype?: string;
  role?: string;
  items?: SceneNode[];
  x?: number;
  y?: number;
  bounds?: Bounds;
  text?: unknown;
  opacity?: number;
  angle?: number;
}

/** Letters of two labels may touch. */
const TOUCH = 1;

/**
 * Hides the labels of values that would cover another one or reach beyond the picture; the names of their marks still
 * have them. Takes the scene of a view, and changes it.
 */
export function hideCovered(
  scene: object,
  size: { width: number; height: number },
  [left, top]: readonly [number, number],
): void {
  const taken: Bounds[] = [];
  const picture = { x1: 0, y1: 0, x2: size.width, y2: size.height };
  const { root } = scene as { root: SceneNode };
  const isCovered = (bounds: Bounds) => taken.some((other) => overlaps(bounds, other));
  const keep = (text: SceneNode, bounds: Bounds, isHidden: boolean) => {
    if (isHidden) text.opacity = 0;
    else taken.push(bounds);
  };
  visit(
    root,
    [left, top],
    (mark) => mark.role !== 'mark',
    // Vega keeps the two ends of an axis even where they have no room; boxes of slanted labels cover each other.
    (text, bounds, role) => keep(text, bounds, role === 'axis-label' && !text.angle && isCovered(bounds)),
  );
  visit(
    root,
    [left, top],
    (mark) => mark.role === 'mark',
    (label, bounds) => keep(label, bounds, isCovered(bounds) || !isWithin(bounds, picture)),
  );
}

function visit(
  node: SceneNode,
  [x, y]: readonly [number, number],
  isWanted: (mark: SceneNode) => boolean,
  found: (text: SceneNode, bounds: Bounds, role: string | undefined) => void,
): void {
  const isLabel = node.marktype === 'text' && isWanted(node);
  for (const item of node.items ?? []) {
    if (isLabel && item.bounds && item.opacity !== 0 && String(item.text ?? '') !== '') {
      const { x1, y1, x2, y2 } = item.bounds;
      found(item, { x1: x1 + x, y1: y1 + y, x2: x2 + x, y2: y2 + y }, node.role);
    }
    if (node.marktype === 'group')
      for (const mark of item.items ?? []) visit(mark, [x + (item.x ?? 0), y + (item.y ?? 0)], isWanted, found);
  }
}

const overlaps = (one: Bounds, other: Bounds): boolean =>
  one.x1 < other.x2 - TOUCH && other.x1 < one.x2 - TOUCH && one.y1 < other.y2 - TOUCH && other.y1 < one.y2 - TOUCH;

const isWithin = ({ x1, y1, x2, y2 }: Bounds, picture: Bounds): boolean =>
  x1 >= picture.x1 - TOUCH && y1 >= picture.y1 - TOUCH && x2 <= picture.x2 + TOUCH && y2 <= picture.y2 + TOUCH;
