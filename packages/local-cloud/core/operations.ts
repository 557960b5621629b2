import { type AwsError, unsupported } from './aws-error.ts';
import type { FaultRule } from './faults.ts';
import type { CloudContext } from './service.ts';

/** One operation of a service: members of its input that are not listed are rejected by name. */
export interface Operation {
  readonly members: readonly string[];
  readonly structures?: Structures;
  /** The name that a fault rule's `resource` is compared with. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
  resource?(input: any): string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
  run(input: any, signal?: AbortSignal): unknown;
}

/**
 * Members of the structures within an input, by path: `Target.RetryPolicy`, `Entries[]` in a list, `Attributes{}` in a
 * map.
 */
export type Structures = Readonly<Record<string, readonly string[]>>;

/** Throws `UnsupportedOperationException` that names the first member of `input` outside `members` and `structures`. */
export function rejectUnknownMembers(
  service: string,
  operation: string,
  input: object,
  members: readonly string[],
  structures: Structures = {},
): void {
  const reject = (structure: object, known: readonly string[], path: string) => {
    const unknown = Object.keys(structure).find((member) => !known.includes(member));
    if (unknown !== undefined) throw unsupported(service, `the parameter ${path}${unknown} of ${operation}`);
  };
  reject(input, members, '');
  for (const [path, known] of Object.entries(structures)) {
    for (const structure of structuresAt(input, path.split('.'))) reject(structure, known, `${path}.`);
  }
}

function structuresAt(value: unknown, [segment, ...rest]: string[]): object[] {
  if (typeof value !== 'object' || value === null) return [];
  if (segment === undefined) return [value];
  const [, name = '', many] = /^(\w+)(\[\]|\{\})?$/.exec(segment) ?? [];
  const member: unknown = (value as Record<string, unknown>)[name];
  const found = many === undefined ? [member] : Object.values(member ?? {});
  return found.flatMap((each) => structuresAt(each, rest));
}

/** How a service reports injected faults. */
export interface FaultErrors {
  throttled(): AwsError;
  internal(): AwsError;
}

/** Runs `work` under the fault switch, which may delay it, reject it or lose its answer. */
export async function withFaults<T>(
  context: Pick<CloudContext, 'faults' | 'clock'>,
  place: { service: string; operation: string; resource?: string | undefined },
  errors: FaultErrors,
  work: () => T | Promise<T>,
): Promise<T> {
  const { resource, ...rest } = place;
  const fault = context.faults.strike({
    ...rest,
    ...(resource !== undefined && { resource }),
    effects: ['throttle', 'error', 'lostAnswer', 'delay'],
  });
  if (fault?.effect === 'throttle') throw errors.throttled();
  if (fault?.effect === 'error') throw errors.internal();
  if (fault?.effect === 'delay') await late(context, fault);
  const result = await work();
  if (fault?.effect === 'lostAnswer') throw errors.internal();
  return result;
}

function late({ clock }: Pick<CloudContext, 'clock'>, fault: FaultRule): Promise<void> {
  return new Promise((resolve) => clock.schedule(clock.now() + (fault.delayMs ?? 0), resolve));
}
