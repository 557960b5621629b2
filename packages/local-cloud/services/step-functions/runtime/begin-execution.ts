import type { Frame, OpenExecution } from '../frame.ts';
import type { Json } from '../json.ts';
import type { Machine } from '../language/program.ts';
import type { ExecutionRecord } from '../storage/execution-store.ts';
import type { Journal } from '../storage/journal.ts';
import type { RevisionRecord } from '../storage/machine-store.ts';

type NewExecution = Pick<ExecutionRecord, 'arn' | 'machineArn' | 'name' | 'input' | 'startedAt'>;
type Revision = Pick<RevisionRecord, 'id' | 'roleArn'>;

/** Stores a new execution in its first state; call inside a transaction. */
export function beginExecution(
  journal: Journal,
  record: NewExecution,
  revision: Revision,
  machine: Machine,
): OpenExecution {
  const { input } = record;
  const id = journal.insertExecution({ ...record, revision: revision.id });
  const execution = openExecution({ id, ...record }, revision, machine);
  const root = rootFrame(execution);
  execution.frames.set('', root);
  journal.event(root, 'ExecutionStarted', {
    executionStartedEventDetails: { input, inputDetails: { truncated: false }, roleArn: revision.roleArn },
  });
  journal.enter(root, machine.startAt, execution.input);
  return execution;
}

/** An execution in memory, without its frames. */
export function openExecution(
  { id, arn, machineArn, name, input, startedAt }: NewExecution & { id: number },
  { roleArn }: Revision,
  machine: Machine,
): OpenExecution {
  return {
    id,
    arn,
    name,
    machineArn,
    startedAt,
    roleArn,
    inputText: input,
    input: JSON.parse(input) as Json,
    machine,
    eventCount: 0,
    frames: new Map(),
    timers: new Set(),
  };
}

export function rootFrame(execution: OpenExecution): Frame {
  return {
    execution,
    path: '',
    program: execution.machine,
    index: 0,
    position: {
      state: execution.machine.startAt,
      input: execution.input,
      variables: {},
      phase: { kind: 'entered' },
      enteredAt: 0,
      enteredEvent: 0,
      lastEvent: 0,
      retries: [],
    },
    live: true,
    timers: new Set(),
  };
}
