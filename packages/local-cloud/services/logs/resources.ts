import { AwsError } from '../../core/aws-error.ts';
import type { Structures } from '../../core/operations.ts';
import type { CloudContext } from '../../core/service.ts';
import type { LogGroup, LogStore } from './log-store.ts';

export interface GroupReference {
  logGroupName?: string;
  /** Name or ARN. */
  logGroupIdentifier?: string;
}

/** One operation with the members of its input; others are rejected. */
export interface LogOperation {
  members: string[];
  structures?: Structures;
  // biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
  run(input: any): unknown;
}

/** Finds log groups and streams as requests name them. */
export class LogResources {
  readonly #context: CloudContext;
  readonly #store: LogStore;

  constructor(context: CloudContext, store: LogStore) {
    this.#context = context;
    this.#store = store;
  }

  arnOf(groupName: string): string {
    return `arn:aws:logs:${this.#context.region}:${this.#context.accountId}:log-group:${groupName}`;
  }

  /** Throws `ResourceNotFoundException`. */
  group({ logGroupName, logGroupIdentifier }: GroupReference): LogGroup {
    const wanted = logGroupName ?? logGroupIdentifier;
    const name = wanted?.startsWith('arn:') ? wanted.slice(this.arnOf('').length).replace(/:\*$/, '') : wanted;
    const found = this.#store.groups().find((each) => each.name === name);
    if (!found) throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
    return found;
  }

  /** Throws `ResourceNotFoundException`. */
  streamId(groupId: number, name: string): number {
    const id = this.#store.findStream(groupId, name);
    if (id === undefined) {
      throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.');
    }
    return id;
  }
}
