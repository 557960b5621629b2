import type { ChartData } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { labelledBy, rowLabel } from '../row-label.ts';
import { showValue } from '../show-value.ts';
import { textWidth } from '../text-width.ts';
import { mixed, seriesColors, surfaceOf } from '../theme.ts';
import {
  fitText,
  mark,
  nameIn,
  numberIn,
  type PictureOptions,
  picture,
  shortNumber,
  shownAt,
  textAt,
} from './picture.ts';
import { type Flow, layersOf, type SankeyNode, sankeyLayout, throughput } from './sankey-layout.ts';

/** A name needs so much of the height. */
const MIN_NODE = LABEL_SIZE + 3;
const MAX_FLOWS = 150;
const NODE_WIDTH = 10;
const GAP = 5;

function flowsOf({ encoding }: ChartLook, data: ChartData): Flow[] {
  const [from, to, size] = (['from', 'to', 'size'] as const).map((channel) => shownAt(channel, encoding, data));
  if (!from || !to || !size) return [];
  return data.rows.flatMap((cells, row) => {
    const value = numberIn(size, cells);
    return value ? [{ from: nameIn(from, cells), to: nameIn(to, cells), value, row }] : [];
  });
}

/** Why the flows have no direction. */
export const findBackFlows = (look: ChartLook, data: ChartData): string | undefined =>
  layersOf(flowsOf(look, data)) ? undefined : 'Flows that lead back to where they began have no place in this chart';

/** Flows from names to names, as thick as their numbers. */
export function drawSankey(look: ChartLook, data: ChartData, options: PictureOptions): string {
  const { width, height, theme } = options;
  const all = flowsOf(look, data);
  const flows = largestOf(all, Math.max(2, Math.floor((height - MIN_NODE) / MIN_NODE)));
  const layers = layersOf(flows);
  const size = shownAt('size', look.encoding, data);
  if (!layers || !size || flows.length === 0) return picture(options);
  const { text, muted, background } = surfaceOf(theme);
  const note = all.length > flows.length ? `${all.length - flows.length} smaller flows are not shown` : '';
  // The first and the last name reach beyond thin nodes.
  const top = MIN_NODE / 2;
  const sankey = sankeyLayout(flows, layers, height - 2 * top - (note ? MIN_NODE : 0));
  const step = sankey.layers > 1 ? (width - NODE_WIDTH) / (sankey.layers - 1) : 0;
  const colors = seriesColors(theme);
  const colorOf = new Map(sankey.nodes.map(({ name }, index) => [name, colors[index % colors.length]!]));
  const byName = new Map(sankey.nodes.map((node) => [node.name, node]));
  const labelled = labelledBy('sankey', look.encoding ?? {});
  const links = sankey.links.map(({ from, to, start, end, thickness, row }) => {
    const x1 = byName.get(from)!.layer * step + NODE_WIDTH;
    const x2 = byName.get(to)!.layer * step;
    const half = Math.max(0.5, thickness / 2);
    const [a, b, c, d] = [start - half, end - half, end + half, start + half].map((y) => (y + top).toFixed(1));
    const [left, middle, right] = [x1, (x1 + x2) / 2, x2].map((x) => x.toFixed(1));
    return mark('path', 'flow', rowLabel(labelled, data.columns, data.rows[row]!), row, {
      d: `M${left},${a}C${middle},${a},${middle},${b},${right},${b}V${c}C${middle},${c},${middle},${d},${left},${d}Z`,
      fill: mixed(background, colorOf.get(from)!, 0.38),
    });
  });
  // The numbers of names count also the flows that are not shown.
  const amountOf = (name: string) => throughput(all, name);
  const nodes = sankey.nodes.map(({ name, layer, y, height: long }) =>
    mark(
      'rect',
      'node',
      `${name}; ${size.title}: ${showValue(size.column, String(amountOf(name)), size.format)}`,
      undefined,
      {
        ...{ x: layer * step, y: y + top, width: NODE_WIDTH, height: long, fill: colorOf.get(name)! },
      },
    ),
  );
  return picture(
    options,
    ...links,
    ...nodes,
    ...namesOf(sankey.nodes),
    note && textAt(0, height - 4, fitText(note, width, LABEL_SIZE), { fill: muted }),
  );

  /** Names beside their nodes, those of the last ones before them; with their numbers, as there is room. */
  function namesOf(found: readonly SankeyNode[]): string[] {
    const taken: { layer: number; from: number; to: number }[] = [];
    return found
      .toSorted((one, other) => other.value - one.value)
      .flatMap((node) => {
        const middle = node.y + top + node.height / 2;
        const [from, to] = [middle - MIN_NODE / 2 + 1, middle + MIN_NODE / 2 - 1];
        const isCovered = taken.some((each) => each.layer === node.layer && each.from < to && each.to > from);
        const content = isCovered ? '' : contentOf(node);
        if (content === '') return [];
        taken.push({ layer: node.layer, from, to });
        const x = node.layer * step + (isLast(node) ? -GAP : NODE_WIDTH + GAP);
        const anchor = isLast(node) ? 'end' : 'start';
        return [textAt(x, middle + LABEL_SIZE * 0.36, content, { fill: text, anchor })];
      });
  }

  function isLast({ layer }: SankeyNode): boolean {
    return sankey.layers > 1 && layer === sankey.layers - 1;
  }

  function contentOf(node: SankeyNode): string {
    const font = { isMono: theme.fonts.body === 'mono' };
    // The last two layers share the room between them.
    const share = node.layer >= sankey.layers - 2 ? 0.5 : 1;
    const room = (sankey.layers > 1 ? step * share : width) - NODE_WIDTH - 2 * GAP;
    const whole = `${node.name} · ${shortNumber(size!, amountOf(node.name))}`;
    return textWidth(whole, LABEL_SIZE, font) <= room ? whole : fitText(node.name, room, LABEL_SIZE, font);
  }
}

/** The largest flows, of at most so many names on each side. */
function largestOf(flows: readonly Flow[], most: number): Flow[] {
  const [sources, targets] = [new Set<string>(), new Set<string>()];
  const kept: Flow[] = [];
  for (const flow of flows.toSorted((one, other) => other.value - one.value)) {
    const isNew = (known: Set<string>, name: string) => !known.has(name) && known.size >= most;
    if (kept.length >= MAX_FLOWS || isNew(sources, flow.from) || isNew(targets, flow.to)) continue;
    sources.add(flow.from);
    targets.add(flow.to);
    kept.push(flow);
  }
  return kept.sort((one, other) => one.row - other.row);
}
