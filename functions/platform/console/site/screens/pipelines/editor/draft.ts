/** A step as it is edited: anything may still be missing or wrong, which the API says. */
export interface DraftStep {
  id: string;
  type: string;
  config: Record<string, unknown>;
  dependsOn?: string[];
  fromPorts?: Record<string, string>;
  [member: string]: unknown;
}

export interface DraftDag {
  version: 1;
  steps: DraftStep[];
  forEach?: { id: string; items: unknown; steps: string[] }[];
  [member: string]: unknown;
}

/** Where a step is added: after one, between two, or by itself. */
export interface Place {
  after?: string;
  before?: string;
}

export const stepOf = ({ steps }: DraftDag, id: string | undefined): DraftStep | undefined =>
  steps.find((step) => step.id === id);

/** The text, or the text with a number that no step has yet. At most 64 characters of those that ids have. */
export function freeId({ steps }: DraftDag, wanted: string): string {
  const taken = new Set(steps.map(({ id }) => id));
  const base = idFrom(wanted);
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base.slice(0, 60)}_${count}`;
    if (!taken.has(id)) return id;
  }
}

export const idFrom = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^[_-]+|_+$/g, '')
    .slice(0, 64) || 'step';

/** The first port of a route; undefined for other steps. */
export function portsOf(step: DraftStep | undefined): string[] | undefined {
  if (step?.type !== 'route') return undefined;
  const { routes, defaultPort = 'default' } = step.config as { routes?: { port?: string }[]; defaultPort?: string };
  const named = Array.isArray(routes) ? routes.flatMap(({ port }) => (port ? [port] : [])) : [];
  return [...named, String(defaultPort)];
}

/** The definition with a step that is wired at once. */
export function withStep(dag: DraftDag, step: DraftStep, { after, before }: Place): DraftDag {
  const ports = portsOf(stepOf(dag, after));
  const former = stepOf(dag, before)?.fromPorts?.[after ?? ''];
  const added: DraftStep = {
    ...step,
    ...(after !== undefined && { dependsOn: [after] }),
    ...(after !== undefined && ports && { fromPorts: { [after]: former ?? ports[0]! } }),
  };
  const steps = dag.steps.map((each) =>
    each.id === before && after !== undefined ? withInput(each, after, step.id) : each,
  );
  const at = before === undefined ? steps.length : steps.findIndex(({ id }) => id === before);
  return { ...dag, steps: steps.toSpliced(at, 0, added) };
}

/** The step with another input in the place of one, or without it. */
function withInput(step: DraftStep, former: string, next: string | undefined): DraftStep {
  const { dependsOn = [], fromPorts, config, ...rest } = step;
  const { [former]: port, ...ports } = fromPorts ?? {};
  const ids = dependsOn.flatMap((id) => (id === former ? (next === undefined ? [] : [next]) : [id]));
  const kept = next !== undefined && port !== undefined && former === next ? { ...ports, [next]: port } : ports;
  return {
    ...rest,
    config: withReference(config, former, next),
    ...((ids.length > 0 || step.dependsOn) && { dependsOn: [...new Set(ids)] }),
    ...(Object.keys(kept).length > 0 && { fromPorts: kept }),
  };
}

/** Settings that name steps: `input`, and the names of `inputs`. */
function withReference(config: Record<string, unknown>, former: string, next: string | undefined) {
  const { input, inputs, ...others } = config;
  const isMap = typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs);
  const entries = isMap
    ? Object.entries(inputs as Record<string, unknown>).flatMap(([alias, id]) =>
        id === former ? (next === undefined ? [] : [[alias, next] as const]) : [[alias, id] as const],
      )
    : [];
  const named = input === former ? next : input;
  return {
    ...(named !== undefined && { input: named }),
    ...(isMap ? entries.length > 0 && { inputs: Object.fromEntries(entries) } : inputs !== undefined && { inputs }),
    ...others,
  };
}

/** The definition without a step. Steps that waited for it wait for what it waited for. */
export function withoutStep(dag: DraftDag, id: string): DraftDag {
  const { dependsOn: before = [], fromPorts = {} } = stepOf(dag, id) ?? {};
  const steps = dag.steps
    .filter((step) => step.id !== id)
    .map((step) => {
      if (!step.dependsOn?.includes(id)) return step;
      const [first, ...others] = before;
      const next = withInput(step, id, first);
      const ports = Object.fromEntries(
        before.flatMap((from) => (fromPorts[from] === undefined ? [] : [[from, fromPorts[from]] as const])),
      );
      return {
        ...next,
        dependsOn: [...new Set([...(next.dependsOn ?? []), ...others])],
        ...(Object.keys(ports).length > 0 && { fromPorts: { ...ports, ...next.fromPorts } }),
      };
    });
  return withBlocks({ ...dag, steps }, (ids) => ids.filter((each) => each !== id));
}

function withBlocks(dag: DraftDag, change: (ids: string[]) => string[]): DraftDag {
  if (!Array.isArray(dag.forEach)) return dag;
  const { forEach, ...rest } = dag;
  const blocks = forEach
    .map((block) => ({ ...block, steps: change(block.steps ?? []) }))
    .filter(({ steps }) => steps.length > 0);
  return { ...rest, ...(blocks.length > 0 && { forEach: blocks }) };
}

/** The definition in which a step has another id, and is still known to the others. */
export function withId(dag: DraftDag, former: string, next: string): DraftDag {
  const steps = dag.steps.map((step) => {
    const changed = step.dependsOn?.includes(former) || JSON.stringify(step.config).includes(former);
    const port = step.fromPorts?.[former];
    const own = changed ? withInput(step, former, next) : step;
    const wired = port === undefined ? own : { ...own, fromPorts: { ...own.fromPorts, [next]: port } };
    return wired.id === former ? { ...wired, id: next } : wired;
  });
  return withBlocks({ ...dag, steps }, (ids) => ids.map((id) => (id === former ? next : id)));
}

/** The definition in which one step waits for another, or no longer does. */
export function withEdge(dag: DraftDag, from: string, to: string, isWanted: boolean): DraftDag {
  const ports = portsOf(stepOf(dag, from));
  const steps = dag.steps.map((step) => {
    if (step.id !== to) return step;
    if (!isWanted) return withInput(step, from, undefined);
    return {
      ...step,
      dependsOn: [...new Set([...(step.dependsOn ?? []), from])],
      ...(ports && { fromPorts: { ...step.fromPorts, [from]: ports[0]! } }),
    };
  });
  return { ...dag, steps };
}

/** Whether a step could wait for another one without waiting for itself. */
export function canFollow(dag: DraftDag, from: string, to: string): boolean {
  const seen = new Set<string>();
  const reaches = (id: string): boolean => {
    if (id === to) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return (stepOf(dag, id)?.dependsOn ?? []).some(reaches);
  };
  return !reaches(from);
}

export const withChanged = (dag: DraftDag, id: string, change: Partial<DraftStep>): DraftDag => ({
  ...dag,
  steps: dag.steps.map((step) => (step.id === id ? withoutUndefined({ ...step, ...change }) : step)),
});

const withoutUndefined = (step: DraftStep): DraftStep =>
  Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as DraftStep;

/** Whether a value can be shown as a graph; what else is wrong with it, the API says. */
export function isDag(value: unknown): value is DraftDag {
  const { steps } = (value ?? {}) as { steps?: unknown };
  if (!Array.isArray(steps)) return false;
  const ids = steps.map((step) => (step as DraftStep | null)?.id);
  return (
    new Set(ids).size === ids.length &&
    steps.every((step: DraftStep | null) => {
      const { id, type, config, dependsOn = [] } = step ?? ({} as DraftStep);
      const isObject = typeof config === 'object' && config !== null && !Array.isArray(config);
      const areTexts = Array.isArray(dependsOn) && dependsOn.every((each) => typeof each === 'string');
      return typeof id === 'string' && typeof type === 'string' && isObject && areTexts;
    })
  );
}
