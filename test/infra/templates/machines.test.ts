import validate from 'asl-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { runMachineDefinition } from '../../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import { stepMachineDefinition } from '../../../functions/pipelines/workers/run-step/step-machine.ts';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, type Stacks } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

const STEP = 'arn:aws:lambda:us-east-1:123456789012:function:b';

describe('machines', () => {
  it.each([
    ['run', runMachineDefinition({ runLifecycle: 'arn:aws:lambda:us-east-1:123456789012:function:a' })],
    [
      'step',
      stepMachineDefinition({
        small: `${STEP}-small`,
        medium: STEP,
        large: `${STEP}-large`,
        xlarge: `${STEP}-xlarge`,
      }),
    ],
    [
      'step, with Athena,',
      stepMachineDefinition(
        { small: `${STEP}-small`, medium: STEP, large: `${STEP}-large`, xlarge: `${STEP}-xlarge` },
        undefined,
        { workGroup: 'steps' },
      ),
    ],
  ])('accepts the %s machine as valid Amazon States Language', (_name, definition) => {
    const { isValid, errors } = validate(definition);
    expect(errors).toEqual([]);
    expect(isValid).toBe(true);
  });
});

describe('Athena', () => {
  it('is absent unless the operator enables it', () => {
    expect(ofType(stacks.runtime, 'AWS::Athena::WorkGroup')).toEqual([]);
    expect(ofType(stacks.runtime, 'AWS::Glue::Database')).toEqual([]);
    expect(JSON.stringify(stacks.runtime)).not.toContain('athena');
  });

  it('limits what a statement may read, and encrypts what it writes', async () => {
    const [[, group] = []] = ofType((await deployedStacks('every')).runtime, 'AWS::Athena::WorkGroup');
    expect(group!.Properties.WorkGroupConfiguration).toMatchObject({
      BytesScannedCutoffPerQuery: 1024 ** 4,
      EnforceWorkGroupConfiguration: true,
      EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
      ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_S3' } },
    });
  });

  it('is only for the step machine: one work group, the tables of attempts, and their objects', async () => {
    const { runtime } = await deployedStacks('every');
    const holders = ofType(runtime, 'AWS::IAM::Policy').filter(([, policy]) =>
      /athena:|glue:/.test(JSON.stringify(policy)),
    );
    expect(holders.map(([id]) => id)).toEqual([expect.stringMatching(/^PipelineRunsStepMachine/)]);
    const statements = holders[0]![1].Properties.PolicyDocument.Statement as {
      Action: string | string[];
      Resource: unknown;
    }[];
    const resourcesOf = (prefix: string) =>
      JSON.stringify(
        statements
          .filter(({ Action }) => [Action].flat().some((each) => each.startsWith(prefix)))
          .map(({ Resource }) => Resource),
      );
    expect(resourcesOf('athena:Start')).toContain('workgroup/AnalyticsRuntime-steps');
    expect(resourcesOf('glue:')).toContain('table/analyticsruntime_steps/rows_*');
    expect(resourcesOf('s3:Put')).toMatch(/results\/\*.*staging\/\*/);
    const steps = ofType(runtime, 'AWS::Lambda::Function').filter(([id]) => /^RunStep/.test(id));
    for (const [id, { Properties }] of steps) {
      expect(Properties.Environment.Variables, id).toMatchObject({
        ATHENA_DATABASE: 'analyticsruntime_steps',
        ATHENA_FROM_MB: '512',
      });
    }
  });
});
