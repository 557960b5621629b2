import type { ObjectPart } from './columns/types.ts';
import { type LineageObject, type LineageRef, refKey } from './types.ts';

export const MAX_LINEAGE_NODES = 2000;
export const MAX_LINEAGE_DEPTH = 10;

export interface LineageNode extends LineageObject {
  /** Negative for what the start is made of, positive for what is made of it. */
  distance: number;
  /** Whether all of its origins are known. */
  isComplete: boolean;
  /** The columns that take part, of the lineage of a column. */
  columns: { id: string; name: string }[];
}

export interface LineageEdge {
  from: LineageRef;
  to: LineageRef;
  /** Which columns become which, of the lineage of a column; null for the whole object. */
  columns: { from: string | null; to: string | null }[];
  /** Present if rows flow through objects that the reader does not see. */
  via?: 'hidden';
}

export interface ObjectLineage {
  nodes: LineageNode[];
  edges: LineageEdge[];
  isTruncated: boolean;
}

/** A lineage in the making. */
export class LineageGraph {
  readonly #nodes = new Map<string, LineageNode>();
  readonly #edges = new Map<string, LineageEdge>();
  isTruncated = false;

  has = (ref: LineageRef): boolean => this.#nodes.has(refKey(ref));

  /** Whether there is room for it. */
  addNode(object: LineageObject, of: Pick<LineageNode, 'distance' | 'isComplete'>): boolean {
    if (this.has(object)) return true;
    if (this.#nodes.size >= MAX_LINEAGE_NODES) {
      this.isTruncated = true;
      return false;
    }
    this.#nodes.set(refKey(object), { ...object, ...of, columns: [] });
    return true;
  }

  addColumn(ref: LineageRef, { id, name }: Pick<ObjectPart, 'id' | 'name'>): void {
    const node = this.#nodes.get(refKey(ref));
    if (id === null || !node || node.columns.some((each) => each.id === id)) return;
    node.columns.push({ id, name });
  }

  /** Some of what the object is made of is not known. */
  markIncomplete(ref: LineageRef): void {
    const node = this.#nodes.get(refKey(ref));
    if (node) node.isComplete = false;
  }

  /**
   * A direct edge takes the place of one through hidden objects, but not of the lineage of columns, where other columns
   * may take the other way.
   */
  addEdge(from: LineageRef, to: LineageRef, columns?: LineageEdge['columns'][number], via?: 'hidden'): void {
    const key = [refKey(from), refKey(to), ...(via && columns ? [via] : [])].join(' ');
    if (via && this.#edges.has(key) && !this.#edges.get(key)!.via) return;
    if (!via && this.#edges.get(key)?.via) this.#edges.delete(key);
    const edge = this.#edges.get(key) ?? {
      from: { type: from.type, id: from.id },
      to: { type: to.type, id: to.id },
      columns: [],
      ...(via && { via }),
    };
    this.#edges.set(key, edge);
    if (!columns || edge.columns.some((each) => each.from === columns.from && each.to === columns.to)) return;
    edge.columns.push(columns);
  }

  /** In an order that does not depend on what was read first. */
  result(): ObjectLineage {
    const order = (a: LineageRef, b: LineageRef) => compare(refKey(a), refKey(b));
    const ofPair = ({ from, to }: LineageEdge['columns'][number]) => JSON.stringify([from, to]);
    return {
      nodes: [...this.#nodes.values()]
        .map((node) => ({ ...node, columns: node.columns.toSorted((a, b) => compare(a.id, b.id)) }))
        .sort((a, b) => a.distance - b.distance || order(a, b)),
      edges: [...this.#edges.values()]
        .map((edge) => ({ ...edge, columns: edge.columns.toSorted((a, b) => compare(ofPair(a), ofPair(b))) }))
        .sort((a, b) => order(a.from, b.from) || order(a.to, b.to) || compare(a.via ?? '', b.via ?? '')),
      isTruncated: this.isTruncated,
    };
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
