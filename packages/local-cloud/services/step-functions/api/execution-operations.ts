import { randomUUID } from 'node:crypto';
import { AwsError } from '../../../core/aws-error.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Operation } from '../../../core/operations.ts';
import { executionArn, stateMachineName } from '../arns.ts';
import type { Executions } from '../runtime/executions.ts';
import {
  EXECUTION_STATUSES,
  type ExecutionRecord,
  type ExecutionStatus,
  type ExecutionStore,
} from '../storage/execution-store.ts';
import type { MachineStore } from '../storage/machine-store.ts';
import {
  checkLength,
  checkName,
  executionDoesNotExist,
  missing,
  pageSize,
  pageToken,
  readPageToken,
  validationError,
} from './errors.ts';
import { findMachine } from './machine-operations.ts';

/** How long a closed execution is kept and its name is taken. */
export const RETENTION_MS = 90 * 24 * 3600 * 1000;
const INPUT_LIMIT = 262_144;

interface StartInput {
  stateMachineArn?: string;
  name?: string;
  input?: string;
}

interface Parts {
  readonly place: { region: string; accountId: string; clock: Clock };
  readonly machines: MachineStore;
  readonly store: ExecutionStore;
  readonly executions: Executions;
}

/**
 * Starts an execution, or returns the open one of that name and input. Throws `StateMachineDoesNotExist`,
 * `StateMachineDeleting`, `InvalidName`, `InvalidExecutionInput`, `ExecutionAlreadyExists`.
 */
export function startExecution(parts: Parts, input: StartInput): { executionArn: string; startDate: number } {
  const { machines, store, executions, place } = parts;
  const machine = findMachine(machines, input.stateMachineArn);
  if (machine.status === 'DELETING') {
    throw new AwsError('StateMachineDeleting', `State Machine is being deleted: '${machine.arn}'`);
  }
  const { name = randomUUID(), input: text = '{}' } = input;
  checkName(name);
  checkInput(text);

  const arn = executionArn(place, machine.name, name);
  const earlier = store.find(arn);
  if (earlier) {
    if (earlier.status === 'RUNNING' && earlier.input === text)
      return { executionArn: arn, startDate: earlier.startedAt / 1000 };
    const kept = earlier.stoppedAt === undefined || earlier.stoppedAt > place.clock.now() - RETENTION_MS;
    if (kept) throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    store.remove(earlier.id);
  }
  const { startedAt } = executions.start(machine, name, text);
  return { executionArn: arn, startDate: startedAt / 1000 };
}

/** Operations on executions and their history. */
export function executionOperations(parts: Parts): Record<string, Operation> {
  const { machines, store, executions } = parts;
  const machineOfExecution = (input: { executionArn?: string }) => stateMachineName(input.executionArn ?? '');

  return {
    StartExecution: {
      members: ['stateMachineArn', 'name', 'input'],
      resource: (input: StartInput) => stateMachineName(input.stateMachineArn ?? ''),
      run: (input: StartInput) => startExecution(parts, input),
    },
    StopExecution: {
      members: ['executionArn', 'error', 'cause'],
      resource: machineOfExecution,
      run({ executionArn: arn, ...reason }: { executionArn?: string; error?: string; cause?: string }) {
        const execution = find(store, arn);
        checkLength('error', reason.error, 256);
        checkLength('cause', reason.cause, 32_768);
        if (execution.status === 'RUNNING') executions.stop(execution, reason);
        return { stopDate: (find(store, arn).stoppedAt ?? 0) / 1000 };
      },
    },
    DescribeExecution: {
      members: ['executionArn'],
      resource: machineOfExecution,
      run(input: { executionArn?: string }) {
        const execution = find(store, input.executionArn);
        return {
          ...summary(execution),
          input: execution.input,
          inputDetails: { included: true },
          ...(execution.output !== undefined && { output: execution.output, outputDetails: { included: true } }),
          ...(execution.error !== undefined && { error: execution.error }),
          ...(execution.cause !== undefined && { cause: execution.cause }),
          redriveStatus: 'NOT_REDRIVABLE',
          redriveStatusReason: 'The local cloud does not redrive executions',
        };
      },
    },
    ListExecutions: {
      members: ['stateMachineArn', 'statusFilter', 'maxResults', 'nextToken'],
      resource: (input: StartInput) => stateMachineName(input.stateMachineArn ?? ''),
      run(input: { stateMachineArn?: string; statusFilter?: string; maxResults?: number; nextToken?: string }) {
        const machine = findMachine(machines, input.stateMachineArn);
        const size = pageSize(input.maxResults);
        const before = Number(readPageToken(input.nextToken) ?? Number.MAX_SAFE_INTEGER);
        const status = statusFilter(input.statusFilter);
        const found = store.list(machine.arn, { before, limit: size + 1, ...(status && { status }) });
        const shown = found.slice(0, size);
        return {
          executions: shown.map(summary),
          ...(found.length > size && { nextToken: pageToken(shown.at(-1)!.id) }),
        };
      },
    },
    GetExecutionHistory: {
      members: ['executionArn', 'maxResults', 'nextToken', 'reverseOrder', 'includeExecutionData'],
      resource: machineOfExecution,
      run(input: {
        executionArn?: string;
        maxResults?: number;
        nextToken?: string;
        reverseOrder?: boolean;
        includeExecutionData?: boolean;
      }) {
        const execution = find(store, input.executionArn);
        const size = pageSize(input.maxResults);
        const reverse = input.reverseOrder ?? false;
        const from = Number(readPageToken(input.nextToken) ?? (reverse ? Number.MAX_SAFE_INTEGER : 1));
        const found = store.history(execution.id, { from, limit: size + 1, reverse });
        const shown = found.slice(0, size);
        return {
          events: input.includeExecutionData === false ? shown.map(withoutData) : shown,
          ...(found.length > size && { nextToken: pageToken(Number(found[size]!.id)) }),
        };
      },
    },
  };
}

function find(store: ExecutionStore, arn: string | undefined): ExecutionRecord {
  if (arn === undefined) throw missing('executionArn');
  const execution = store.find(arn);
  if (!execution) throw executionDoesNotExist(arn);
  return execution;
}

function summary(execution: ExecutionRecord): Record<string, unknown> {
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.machineArn,
    name: execution.name,
    status: execution.status,
    startDate: execution.startedAt / 1000,
    ...(execution.stoppedAt !== undefined && { stopDate: execution.stoppedAt / 1000 }),
    redriveCount: 0,
  };
}

function statusFilter(status: string | undefined): ExecutionStatus | undefined {
  if (status === undefined) return undefined;
  const known = EXECUTION_STATUSES.find((one) => one === status);
  if (known) return known;
  throw validationError(
    'statusFilter',
    status,
    `Member must satisfy enum value set: [${EXECUTION_STATUSES.join(', ')}]`,
  );
}

function checkInput(text: string): void {
  checkLength('input', text, INPUT_LIMIT);
  try {
    JSON.parse(text);
  } catch (error) {
    throw new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${(error as Error).message}'`);
  }
  if (Buffer.byteLength(text) > INPUT_LIMIT) {
    throw new AwsError(
      'InvalidExecutionInput',
      `Invalid State Machine Execution Input: the input exceeds ${INPUT_LIMIT} bytes`,
    );
  }
}

/** History events without input and output data. */
function withoutData(event: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(event).map(([member, details]) => {
      if (!member.endsWith('EventDetails') || typeof details !== 'object' || details === null) return [member, details];
      const { input: _input, output: _output, parameters: _parameters, ...rest } = details as Record<string, unknown>;
      return [member, rest];
    }),
  );
}
