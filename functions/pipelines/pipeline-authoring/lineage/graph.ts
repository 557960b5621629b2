import {
  type Dag,
  datasetReadBy,
  inputsOf,
  portOf,
  portsOf,
  type Step,
  type StepLineage,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import type { InputField, Lineage, LineageNode } from './schemas.ts';

/** The lineage of steps as a graph of sources, steps, ports and datasets. */
export function lineageGraph(
  dag: Dag,
  lineages: readonly StepLineage[],
): Pick<Lineage, 'nodes' | 'fields' | 'datasetInputs' | 'completeness'> {
  const steps = new Map(dag.steps.map((step) => [step.id, step]));
  const loads = new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));
  const nodes = new Map<string, LineageNode>();
  const fields: Lineage['fields'] = [];
  const datasetInputs: Lineage['datasetInputs'] = [];
  const put = (node: LineageNode) => {
    const earlier = nodes.get(node.id);
    // Several steps may read one source or load one dataset, each with its own columns.
    const columns = [...(earlier?.columns ?? []), ...(node.columns ?? [])];
    nodes.set(node.id, {
      ...node,
      columns: earlier?.columns ? [...new Map(columns.map((column) => [column.name, column])).values()] : node.columns,
      inputs: [...new Set([...(earlier?.inputs ?? []), ...node.inputs])],
    });
  };
  const same = (from: string, to: string, columns: LineageNode['columns']) => {
    for (const { name: column } of columns ?? []) {
      fields.push({ output: { node: to, column }, inputs: [field(from, column, 'DIRECT', 'IDENTITY')] });
    }
  };

  for (const lineage of lineages) {
    const step = steps.get(lineage.stepId)!;
    const { id } = step;
    const { columns } = lineage;
    /** The node that a step reads: for a route its port. */
    const nodeOf = (stepId: string) => {
      const port = portOf(step, stepId);
      return port === undefined ? stepId : portId(stepId, port);
    };
    const inputs = [...new Set(Object.values(inputsOf(step, loads)).map(nodeOf))];
    const source = sourceOf(step);
    if (source) {
      put({ kind: 'source', ...source, columns, inputs: [] });
      same(source.id, id, columns);
    }
    put({ id, kind: 'step', name: id, columns, inputs: source ? [source.id] : inputs });
    for (const { column, inputs: uses } of lineage.fields) {
      const from = uses.map(({ table, column: name, subtype }) => field(nodeOf(table), name, 'DIRECT', subtype));
      fields.push({ output: { node: id, column }, inputs: from });
    }
    if (lineage.indirect.length > 0) {
      const from = lineage.indirect.map(({ table, column, subtype }) =>
        field(nodeOf(table), column, 'INDIRECT', subtype),
      );
      datasetInputs.push({ node: id, inputs: from });
    }
    for (const port of (step.type === 'route' && portsOf(step)) || []) {
      put({ id: portId(id, port), kind: 'port', name: port, columns, inputs: [id] });
      same(id, portId(id, port), columns);
    }
    const target = targetOf(step);
    if (target) {
      put({ ...target, kind: 'dataset', columns, inputs: [id] });
      same(id, target.id, columns);
    }
  }
  const completeness = Object.fromEntries(lineages.map((lineage) => [lineage.stepId, lineage.completeness]));
  return { nodes: [...nodes.values()], fields, datasetInputs, completeness };
}

const portId = (stepId: string, port: string) => `${stepId}.${port}`;

type Transformation = InputField['transformations'][number];

function field(
  node: string,
  column: string,
  type: Transformation['type'],
  subtype: Transformation['subtype'],
): InputField {
  return { node, column, transformations: [{ type, subtype, masking: false, description: '' }] };
}

/** What an extract reads; a query counts as one opaque source. */
function sourceOf(step: Step): { id: string; name: string; kind?: 'dataset' } | undefined {
  if (step.type !== 'extract') return undefined;
  const dataset = datasetReadBy(step);
  if (dataset !== undefined) return { id: `dataset:${dataset}`, name: dataset, kind: 'dataset' };
  const { sourceId, object = {} } = step.config as { sourceId: string; object?: Record<string, string> };
  const { path, schema, table, query } = object;
  const name = path ?? (table && (schema ? `${schema}.${table}` : table)) ?? (query ? `query of ${step.id}` : step.id);
  return { id: `source:${sourceId}:${name}`, name };
}

function targetOf(step: Step): { id: string; name: string } | undefined {
  if (step.type !== 'load') return undefined;
  const target = (step.config.target ?? {}) as Record<string, string>;
  const name = target.name ?? target.datasetId ?? target.table ?? target.path ?? step.id;
  return { id: `${target.kind ?? 'dataset'}:${target.sourceId ? `${target.sourceId}:` : ''}${name}`, name };
}
