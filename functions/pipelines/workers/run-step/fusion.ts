import {
  type Dag,
  distinctOutputs,
  fusionOf,
  materializeOf,
  type Node,
  type ReferenceValues,
  type Step,
  type WrittenReason,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import type { KeptRows } from './kept-rows.ts';

/** Computing fused rows again, for a retry or a preview, must not take longer; a preview has ten seconds. */
const MAX_FUSED_MS = 5_000;

/** What becomes of the rows of a transform: they are stored, or kept for the step that it is fused into. */
type Fate = { kind: 'stored'; reason: WrittenReason } | { kind: 'kept'; output: StepOutput };

/** Decides about rows that an attempt has computed; `unrepeatable` is why the same statement could give other rows. */
export type FateOf = (output: StepOutput, unrepeatable: 'clock' | 'order' | undefined) => Promise<Fate>;

/** How an attempt is connected to steps that are fused into others. */
export interface Fusion {
  kept: KeptRows;
  fateOf: FateOf;
  /** What another node computed its rows from. */
  sourceOf(index: number): Promise<FusedSource>;
  /** Replaces the output of a node whose rows were computed again. */
  replace(index: number, output: StepOutput): void;
}

export interface FusedSource {
  node: Node;
  step: Step;
  inputs: Record<string, StepOutput[]>;
  values: ReferenceValues;
}

/** `goesOn`: whether the same worker goes on with the step that reads the rows. */
export function fateOfRows(
  dag: Dag,
  node: Node,
  inputs: Record<string, readonly StepOutput[]>,
  goesOn: (output: StepOutput) => Promise<boolean>,
): FateOf {
  const startedAt = performance.now();
  return async (output, unrepeatable) => {
    const step = dag.steps.find(({ id }) => id === node.stepId)!;
    const { into, reason } = fusionOf(dag, step);
    if (reason !== undefined) return { kind: 'stored', reason };
    const before = distinctOutputs(inputs).flatMap(({ fused }) => fused ?? []);
    const ms = before.reduce((sum, each) => sum + each.ms, Math.round(performance.now() - startedAt));
    const isSkipped = Object.values(inputs).some((outputs) => outputs.length === 0);
    const lacksInput = isSkipped || before.some((each) => each.lacksInput);
    const about = { index: node.index, into, ms, ...(lacksInput ? { lacksInput } : {}) };
    const fused: StepOutput = { ...output, fused: about };
    if (materializeOf(step) === 'never') return { kind: 'kept', output: fused };
    if (unrepeatable) return { kind: 'stored', reason: unrepeatable };
    if (lacksInput) return { kind: 'stored', reason: 'skipped' };
    if (ms > MAX_FUSED_MS) return { kind: 'stored', reason: 'slow' };
    return (await goesOn(output)) ? { kind: 'kept', output: fused } : { kind: 'stored', reason: 'elsewhere' };
  };
}
