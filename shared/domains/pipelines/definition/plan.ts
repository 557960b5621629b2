import { type Dag, dependenciesOf, type ForEach, type Step } from './dag.ts';
import { listParameterOf } from './dag-issues.ts';
import type { ParameterValue } from './references.ts';
import { isMet } from './when.ts';

/** Items of a block that run concurrently. */
const ITEMS_AT_ONCE = 10;

export type SkipReason = 'when_false' | 'empty_items' | 'upstream_skipped' | 'upstream_failed';

/** One unit of a run's plan; each node is stored as one item of the run. */
export interface Node {
  index: number;
  /**
   * `step`: an instance of a step. `barrier`: all instances of a block's step, for nodes outside the block that depend
   * on them. `end`: the last node, after all others.
   */
  kind: 'step' | 'barrier' | 'end';
  /** Empty for the end. */
  stepId: string;
  item: string | number | null;
  itemIndex: number | null;
  /** Nodes whose outcome decides whether this one runs. */
  after: number[];
  /** Nodes that must end first with any outcome; limits how many items of a block run at once. */
  behind: number[];
  /** Nodes that list this one in `after` or `behind`. */
  feeds: number[];
  /** The state at the start of the run; `pending` lists the nodes whose ends release this one. */
  initial: {
    status: 'ready' | 'pending' | 'skipped';
    pending: number[];
    skipReason: SkipReason | null;
    /** Set if only the item ten places earlier releases it; that item passes on the failure of a dependency of both. */
    sawSuccess?: true;
  };
}

/**
 * The version of the rules for which nodes a node waits. Since version 2, an item of a block with one step waits only
 * for the item ten places earlier, and blocks that wait for each other may run any number of items at once.
 */
export const PLAN_VERSION = 2;

export interface Plan {
  nodes: Node[];
  end: number;
}

/** The items of a block; none for a list parameter without a value. */
export function itemsOf(block: ForEach, parameters: Record<string, ParameterValue>): readonly (string | number)[] {
  const name = listParameterOf(block);
  return name === undefined
    ? (block.items as readonly (string | number)[])
    : ((parameters[name] ?? []) as readonly (string | number)[]);
}

/**
 * Plans a run of a valid definition. The same definition, parameters and version give the same plan, so each worker of
 * a run can compute it again.
 */
export function planRun(dag: Dag, parameters: Record<string, ParameterValue>, version = PLAN_VERSION): Plan {
  return new PlanBuilder(dag, parameters, version).build();
}

/** The step that may begin when a node has succeeded, because it waits for nothing else. */
export interface Successor {
  node: Node;
  /** Whether every other node that waits for the ended one waits for this step, too. */
  isAwaitedByOthers: boolean;
}

/**
 * Returns the only step that waits for a node, if it can begin once the node has succeeded. The plan alone decides
 * this, so nothing has to be read. Valid only in the first attempt of a run.
 */
export function successorOf(plan: Plan, node: Node): Successor | undefined {
  const fed = node.feeds.map((index) => plan.nodes[index]!);
  const [next, ...more] = fed.filter(({ kind }) => kind === 'step');
  if (!next || more.length > 0 || next.initial.status !== 'pending') return undefined;
  const isDependent = next.initial.pending.length === 1 && next.after.includes(node.index);
  // The next item of a block. Its first step waits for the same nodes as the first step of the ended item. These nodes
  // have ended if the ended node waited for that first step.
  const isNextItem = next.behind.length === 1 && next.behind[0] === node.index && hasWaitedFor(plan, node, next.stepId);
  if (!isDependent && !isNextItem) return undefined;
  // A barrier of the block's last step waits for the next item.
  return { node: next, isAwaitedByOthers: isNextItem || fed.length === 1 };
}

/** Whether a node is an instance of a step or has waited for it within its item. */
function hasWaitedFor(plan: Plan, node: Node, stepId: string): boolean {
  if (node.stepId === stepId) return true;
  return node.after
    .map((index) => plan.nodes[index]!)
    .filter((before) => before.itemIndex !== null && before.itemIndex === node.itemIndex)
    .some((before) => before.initial.status !== 'skipped' && hasWaitedFor(plan, before, stepId));
}

class PlanBuilder {
  readonly #dag: Dag;
  readonly #parameters: Record<string, ParameterValue>;
  readonly #version: number;
  readonly #nodes: Node[] = [];
  /** The instances of each step, in the order of the items. */
  readonly #instances = new Map<string, Node[]>();
  readonly #barriers = new Map<string, Node>();

  constructor(dag: Dag, parameters: Record<string, ParameterValue>, version: number) {
    this.#dag = dag;
    this.#parameters = parameters;
    this.#version = version;
  }

  build(): Plan {
    const steps = inOrder(this.#dag.steps);
    for (const step of steps) this.#addStep(step);
    for (const block of this.#dag.forEach ?? []) this.#limitItems(block);
    const followed = new Set(this.#nodes.flatMap((node) => node.after));
    const leaves = this.#nodes.filter(({ index }) => !followed.has(index));
    const byId = new Map(steps.map((step) => [step.id, step]));
    this.#settleSkipped(byId);
    // The end also waits for nodes on which only skipped steps depend. A second pass adds them, so all nodes keep their
    // numbers.
    const taken = this.#nodes.filter(({ initial }) => initial.status !== 'skipped');
    const awaited = new Set(taken.flatMap((node) => node.after));
    const overlooked = taken.filter(({ index }) => followed.has(index) && !awaited.has(index));
    // The end waits for barriers instead of instances: a pending set of thousands of instances would be written
    // thousands of times.
    const whole = (node: Node) => (node.itemIndex === null ? node : this.#barrierOf(node.stepId)).index;
    const end = this.#add({ kind: 'end', stepId: '', after: [...new Set(leaves.map(whole))] });
    end.after = [...new Set([...end.after, ...overlooked.map(whole)])];
    for (const node of this.#nodes) {
      for (const index of new Set([...node.after, ...node.behind])) this.#nodes[index]!.feeds.push(node.index);
    }
    this.#settleSkipped(byId);
    this.#settlePending();
    return { nodes: this.#nodes, end: end.index };
  }

  #add(node: Pick<Node, 'kind' | 'stepId' | 'after'> & Partial<Node>): Node {
    const added: Node = {
      item: null,
      itemIndex: null,
      behind: [],
      feeds: [],
      initial: { status: 'pending', pending: [], skipReason: null },
      ...node,
      index: this.#nodes.length,
    };
    this.#nodes.push(added);
    return added;
  }

  #blockOf(stepId: string): ForEach | undefined {
    return this.#dag.forEach?.find((block) => block.steps.includes(stepId));
  }

  #addStep(step: Step): void {
    const block = this.#blockOf(step.id);
    const items = block ? itemsOf(block, this.#parameters) : [null];
    // An empty block keeps one instance of each step to show it as skipped.
    const places = items.length > 0 ? items : [null];
    const instances = places.map((item, itemIndex) =>
      this.#add({
        kind: 'step',
        stepId: step.id,
        item,
        itemIndex: block && items.length > 0 ? itemIndex : null,
        after: dependenciesOf(step).map((id) => this.#nodeBefore(id, block, itemIndex).index),
      }),
    );
    this.#instances.set(step.id, instances);
  }

  /** Inside a block an edge connects steps of the same item; from outside it waits for all items. */
  #nodeBefore(id: string, block: ForEach | undefined, itemIndex: number): Node {
    const instances = this.#instances.get(id)!;
    const owner = this.#blockOf(id);
    if (!owner) return instances[0]!;
    if (owner === block) return instances[itemIndex]!;
    return this.#barrierOf(id);
  }

  #barrierOf(id: string): Node {
    let barrier = this.#barriers.get(id);
    if (!barrier) {
      barrier = this.#add({ kind: 'barrier', stepId: id, after: this.#instances.get(id)!.map((node) => node.index) });
      this.#barriers.set(id, barrier);
    }
    return barrier;
  }

  /** The first steps of an item wait for the last steps of the item ten places earlier. */
  #limitItems(block: ForEach): void {
    if (this.#version >= 2 ? this.#isOnCycle(block) : this.#isReentered(block)) return;
    const inBlock = (id: string) => block.steps.includes(id);
    const step = (id: string) => this.#dag.steps.find((candidate) => candidate.id === id)!;
    const first = block.steps.filter((id) => !dependenciesOf(step(id)).some(inBlock));
    const last = block.steps.filter((id) => !block.steps.some((other) => dependenciesOf(step(other)).includes(id)));
    for (const id of first) {
      for (const node of this.#instances.get(id)!.slice(ITEMS_AT_ONCE)) {
        node.behind = last.map((other) => this.#instances.get(other)![node.itemIndex! - ITEMS_AT_ONCE]!.index);
      }
    }
  }

  /**
   * Whether steps outside a block depend on some of its steps while others of its steps depend on them, perhaps through
   * other blocks. Then all items must finish the former steps before any item can end.
   */
  #isOnCycle(block: ForEach): boolean {
    const blockOrStepOf = (id: string) => this.#blockOf(id) ?? id;
    const dependentsOf = (place: ForEach | string) =>
      this.#dag.steps
        .filter(
          (step) => blockOrStepOf(step.id) !== place && dependenciesOf(step).some((id) => blockOrStepOf(id) === place),
        )
        .map(({ id }) => blockOrStepOf(id));
    const seen = new Set<ForEach | string>();
    const waiting = dependentsOf(block);
    for (const place of waiting) {
      if (place === block) return true;
      if (seen.has(place)) continue;
      seen.add(place);
      waiting.push(...dependentsOf(place));
    }
    return false;
  }

  /** The rule of version 1: whether a path leaves the block and enters it again. */
  #isReentered(block: ForEach): boolean {
    const seen = new Set<string>();
    const visit = (id: string, left: boolean): boolean => {
      const place = `${id} ${left}`;
      if (seen.has(place)) return false;
      seen.add(place);
      return this.#dag.steps.some((step) => {
        if (!dependenciesOf(step).includes(id)) return false;
        const inside = block.steps.includes(step.id);
        return (inside && left) || visit(step.id, left || !inside);
      });
    };
    return block.steps.some((id) => visit(id, false));
  }

  #settleSkipped(steps: ReadonlyMap<string, Step>): void {
    for (const node of this.#nodes) {
      const reason = this.#skipReason(node, steps);
      if (reason) node.initial = { status: 'skipped', pending: [], skipReason: reason };
    }
  }

  #settlePending(): void {
    const skipped = (index: number) => this.#nodes[index]!.initial.status === 'skipped';
    for (const node of this.#nodes) {
      if (node.initial.status === 'skipped') continue;
      if (this.#version >= 2 && this.#followsItem(node)) {
        node.initial = { status: 'pending', pending: node.behind, skipReason: null, sawSuccess: true };
        continue;
      }
      const pending = [...new Set([...node.after, ...node.behind])].filter((index) => !skipped(index));
      node.initial = { status: pending.length === 0 ? 'ready' : 'pending', pending, skipReason: null };
    }
  }

  /**
   * Whether a node needs to wait only for the item ten places earlier: an instance of the same step, which has waited
   * for the same nodes. If every item waited for these nodes itself, the end of each would cost a write per item.
   */
  #followsItem({ stepId, behind }: Node): boolean {
    const [before, ...more] = behind.map((index) => this.#nodes[index]!);
    return before?.stepId === stepId && before.initial.status !== 'skipped' && more.length === 0;
  }

  #skipReason(node: Node, steps: ReadonlyMap<string, Step>): SkipReason | null {
    if (node.kind === 'end') return null;
    const step = steps.get(node.stepId)!;
    if (node.kind === 'step') {
      if (step.when && !isMet(step.when, this.#parameters)) return 'when_false';
      if (node.itemIndex === null && this.#blockOf(step.id)) return 'empty_items';
    }
    const idle = node.after.length > 0 && node.after.every((index) => this.#nodes[index]!.initial.status === 'skipped');
    return idle ? 'upstream_skipped' : null;
  }
}

/** Every step after its dependencies, otherwise in the order of the definition. */
function inOrder(steps: readonly Step[]): Step[] {
  const ordered: Step[] = [];
  const placed = new Set<string>();
  const waiting = new Set(steps);
  while (waiting.size > 0) {
    const before = waiting.size;
    for (const step of waiting) {
      if (!dependenciesOf(step).every((id) => placed.has(id))) continue;
      ordered.push(step);
      placed.add(step.id);
      waiting.delete(step);
    }
    if (waiting.size === before) throw new Error('a definition with a cycle reached its execution');
  }
  return ordered;
}
