import type { EngineFunction } from '../../../../shared/domains/engine/index.ts';
import { findExpressionIssues } from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  type Argument,
  expandFlowlet,
  type Flowlet,
  type FlowletContent,
  type FlowletInstance,
  type FlowletRepository,
  findFlowlet,
  fitsType,
  type SaveFlowlet,
  type TypedArguments,
  typedArguments,
} from '../../../../shared/domains/pipelines/flowlets/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';

const MAX_BYTES = 256 * 1024;

interface Deps {
  flowlets: FlowletRepository;
  engine: Pick<EngineFunction, 'check'>;
  now(): Date;
}

/**
 * Saves a version of a name, or returns the newest one if its content is equal. Throws `FLOWLET_INVALID` and
 * `FLOWLET_CHANGED`.
 */
export async function saveFlowlet(
  deps: Deps,
  command: SaveFlowlet & { id: string; workspaceId: string; createdBy: string },
): Promise<Flowlet> {
  const { id, workspaceId, createdBy, name, description = null, params = [], inputs, ops } = command;
  const content = { description, params, inputs, ops };
  const errors = [...declarationIssues(content), ...(await trialIssues(deps, workspaceId, content))];
  if (errors.length > 0) throw new AppError('FLOWLET_INVALID', { errors });
  const createdAt = deps.now().toISOString();
  return deps.flowlets.save({ id, workspaceId, createdBy, name, ...content, createdAt }, command.expectedVersion);
}

/**
 * The plain operations of a flowlet for these arguments. Throws `FLOWLET_NOT_FOUND` and `FLOWLET_ARGUMENTS_INVALID`.
 */
export async function instantiateFlowlet(
  deps: Deps,
  command: { workspaceId: string; id: string; params?: Record<string, Argument> },
): Promise<FlowletInstance> {
  const flowlet = await findFlowlet(deps.flowlets, command);
  const { args, issues } = typedArguments(flowlet.params, command.params ?? {}, '/params');
  if (issues.length > 0) throw new AppError('FLOWLET_ARGUMENTS_INVALID', { errors: issues });
  const expanded = await expand(deps, command.workspaceId, flowlet, args);
  if (expanded.issues.length > 0) throw new AppError('FLOWLET_ARGUMENTS_INVALID', { errors: expanded.issues });
  return {
    flowletId: flowlet.id,
    version: flowlet.version,
    ops: expanded.ops,
    requiredColumns: flowlet.inputs.flatMap(({ name: input, columns }) =>
      columns.map(({ name, type = null }) => ({ input, name, type })),
    ),
    outputColumns: expanded.outputColumns.map(({ name, type = null }) => ({ name, type })),
  };
}

async function expand(deps: Deps, workspaceId: string, flowlet: FlowletContent, args: TypedArguments) {
  const expanded = await expandFlowlet((id) => deps.flowlets.get(workspaceId, id), flowlet, args);
  if (expanded.issues.length > 0) return expanded;
  return { ...expanded, issues: await findExpressionIssues(expanded.ops, '/ops', deps.engine) };
}

function declarationIssues({ params, inputs, ...rest }: FlowletContent): Issue[] {
  const twice = (names: readonly string[], at: string) =>
    names.flatMap((name, index) =>
      names.indexOf(name) < index
        ? [{ pointer: `${at}/${index}/name`, code: 'DUPLICATE', message: `The name "${name}" is used twice.` }]
        : [],
    );
  const unfit = params.flatMap(({ type, default: value }, index) =>
    value === undefined || fitsType(type, value)
      ? []
      : [{ pointer: `/params/${index}/default`, code: 'TYPE', message: `must be a ${type}` }],
  );
  const bytes = Buffer.byteLength(JSON.stringify({ params, inputs, ...rest }));
  const large = {
    pointer: '',
    code: 'TOO_LARGE',
    message: `The flowlet must have at most ${MAX_BYTES} bytes as JSON.`,
  };
  return [
    ...twice(
      params.map(({ name }) => name),
      '/params',
    ),
    ...twice(
      inputs.map(({ name }) => name),
      '/inputs',
    ),
    ...unfit,
    ...(bytes > MAX_BYTES ? [large] : []),
  ];
}

/** The issues of the flowlet with arguments of the right types: defaults, or samples where there is no default. */
async function trialIssues(deps: Deps, workspaceId: string, content: FlowletContent): Promise<Issue[]> {
  const column = content.inputs[0]!.columns[0]!.name;
  const samples = { string: 'a', number: 1, boolean: true, list: ['a'], column, type: 'string' } as const;
  const args: TypedArguments = new Map(
    content.params.map(({ name, type, default: value }) => {
      const sample = samples[type] as Argument;
      return [name, { type, value: value !== undefined && fitsType(type, value) ? value : sample }];
    }),
  );
  const { issues } = await expand(deps, workspaceId, content, args);
  // A column or type that an argument will name is not known yet.
  const open = content.params.some(({ type, default: value }) => value === undefined && /^(column|type)$/.test(type));
  return open ? issues.filter(({ code }) => !code.startsWith('COLUMN_')) : issues;
}
