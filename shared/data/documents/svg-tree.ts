import { SaxesParser } from 'saxes';

export interface SvgNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: SvgNode[];
  text: string;
}

export interface SvgTree {
  root: SvgNode;
  width: number;
  height: number;
  /** Gradients and clip paths, by their ids. */
  byId: ReadonlyMap<string, SvgNode>;
}

/** Reads the platform's own SVG. Throws for text that is no well-formed XML. */
export function readSvg(svg: string): SvgTree {
  const parser = new SaxesParser();
  const byId = new Map<string, SvgNode>();
  const top: SvgNode = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node: SvgNode = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(node);
    if (node.attributes.id !== undefined) byId.set(node.attributes.id, node);
    open.push(node);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  const root = top.children[0]!;
  const { width = '0', height = '0' } = root.attributes;
  return { root, width: Number.parseFloat(width), height: Number.parseFloat(height), byId };
}
