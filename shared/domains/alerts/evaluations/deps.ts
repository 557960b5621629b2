import type { Table } from '../../../platform/storage/table.ts';
import type { TargetQueue } from '../../delivery/deliveries/index.ts';
import type { AlertRepository, ClassStates } from '../rules/index.ts';
import type { AlertReadDeps } from '../sources/index.ts';
import type { AlertQueue } from './queue.ts';

export interface EvaluationDeps {
  table: Table;
  reading: AlertReadDeps;
  alerts: AlertRepository;
  states: ClassStates;
  queue: AlertQueue;
  /** Of the requests to targets. */
  targets: TargetQueue;
  /** Undefined while the workspace is deleted. */
  workspace(id: string): Promise<{ companyId: string } | undefined>;
  admins(workspaceId: string): Promise<string[]>;
  /** Once it is true, the rest of the work is left to another message. */
  isOver(): boolean;
  /** Reports an error that is none of a rule. */
  report(error: Error, alertId: string): void;
}
