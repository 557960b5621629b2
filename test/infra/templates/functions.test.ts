import { beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, references, type Stacks } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('functions', () => {
  it('reserve nothing of what the account can run at once: new accounts have nothing to reserve', () => {
    for (const [id, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::Function')) {
      expect(Properties.ReservedConcurrentExecutions, id).toBeUndefined();
    }
  });

  it('all run on the processor that the operator chose', async () => {
    const { runtime } = await deployedStacks('every');
    for (const [id, { Properties }] of ofType(runtime, 'AWS::Lambda::Function')) {
      expect(Properties.Architectures, id).toEqual(['x86_64']);
    }
  });

  it('all have memory, timeout, processor, log group and retention set', () => {
    for (const [id, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::Function')) {
      expect(Properties, id).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
      expect(Properties.MemorySize, id).toBeGreaterThan(0);
      expect(Properties.Timeout, id).toBeGreaterThan(0);
      const [logGroup] = references(Properties.LoggingConfig);
      expect(stacks.runtime[logGroup!]!.Properties.RetentionInDays, id).toBe(30);
      expect(JSON.stringify(Properties.Environment).length, id).toBeLessThan(4096);
    }
  });
});
