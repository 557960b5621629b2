import { beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, references, type Stacks, statements } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('queues', () => {
  it('each have a dead-letter queue that keeps messages for 14 days', () => {
    const queues = ofType(stacks.runtime, 'AWS::SQS::Queue');
    const withRedrive = queues.filter(([, { Properties }]) => Properties.RedrivePolicy);
    expect(withRedrive.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of queues) {
      if (Properties.RedrivePolicy) continue;
      expect(Properties.MessageRetentionPeriod, id).toBe(14 * 24 * 60 * 60);
    }
    for (const [, { Properties }] of withRedrive) {
      const [target] = references(Properties.RedrivePolicy);
      expect(stacks.runtime[target!]?.Properties.RedrivePolicy).toBeUndefined();
    }
  });

  it('hide a message for at least six timeouts of the consumer, or for one where a second consumer is harmless', () => {
    for (const [id, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::EventSourceMapping')) {
      const [queueId] = references(Properties.EventSourceArn);
      const queue = stacks.runtime[queueId ?? ''];
      if (queue?.Type !== 'AWS::SQS::Queue') continue;
      const [functionId] = references(Properties.FunctionName);
      const { Timeout } = stacks.runtime[functionId!]!.Properties;
      const timeouts = functionId!.startsWith('DeliverWebhook') ? 1 : 6;
      expect(queue.Properties.VisibilityTimeout, id).toBeGreaterThan(timeouts * Timeout - 1);
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });

  it('get the stream records that cannot be handled', () => {
    const [[, mapping] = []] = ofType(stacks.runtime, 'AWS::Lambda::EventSourceMapping').filter(
      ([, { Properties }]) => Properties.StartingPosition,
    );
    expect(mapping!.Properties).toMatchObject({
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      DestinationConfig: { OnFailure: {} },
    });
  });
});

describe('chains of messages', () => {
  /** The functions that each function reaches by a queue or a call, by logical ids. */
  function callees(): Map<string, Set<string>> {
    const consumers = new Map<string, string>();
    for (const [, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::EventSourceMapping')) {
      const [queue] = references(Properties.EventSourceArn);
      if (queue) consumers.set(queue, references(Properties.FunctionName)[0]!);
    }
    const all = statements(stacks.runtime);
    return new Map(
      ofType(stacks.runtime, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
        const [role] = references(Properties.Role);
        const reached = all
          .filter(({ roles }) => roles.includes(role!))
          .filter(({ actions }) => actions.some((each) => /^(sqs:SendMessage|lambda:InvokeFunction)$/.test(each)))
          .flatMap(({ resource }) => references(resource))
          .map((target) => consumers.get(target) ?? target);
        return [id, new Set(reached)];
      }),
    );
  }

  it('may be long exactly for the functions that send to themselves, and each of these says what ends them', () => {
    const next = callees();
    const reaches = (from: string, target: string, seen = new Set<string>()): boolean =>
      [...(next.get(from) ?? [])].some((each) => {
        if (each === target) return true;
        if (seen.has(each)) return false;
        return reaches(each, target, seen.add(each));
      });
    const functions = ofType(stacks.runtime, 'AWS::Lambda::Function');
    const inLoops = functions.filter(([id]) => reaches(id, id)).map(([id]) => id);
    const allowed = functions.filter(([, { Properties }]) => Properties.RecursiveLoop === 'Allow').map(([id]) => id);
    expect(inLoops.length).toBeGreaterThanOrEqual(4);
    expect(allowed).toEqual(inLoops);
  });
});
