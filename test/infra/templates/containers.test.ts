import { beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, type Resource, type Stacks, statements } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('the container that streams changes', () => {
  it('is absent unless the operator enables it', () => {
    expect(stacks.capture).toEqual({});
  });

  it('runs once, accepts no connections, and has the variables that it declares', async () => {
    const { capture } = await deployedStacks('every');
    const [[, service] = [], ...others] = ofType(capture, 'AWS::ECS::Service');
    expect(others).toEqual([]);
    expect(service!.Properties).toMatchObject({ DesiredCount: 1, LaunchType: 'FARGATE' });
    expect(ofType(capture, 'AWS::EC2::NatGateway')).toEqual([]);
    const groups = ofType(capture, 'AWS::EC2::SecurityGroup');
    expect(groups.flatMap(([, { Properties }]) => Properties.SecurityGroupIngress ?? [])).toEqual([]);
    const [[, task] = []] = ofType(capture, 'AWS::ECS::TaskDefinition');
    expect(task!.Properties.RuntimePlatform).toMatchObject({ CpuArchitecture: 'X86_64' });
    const names = task!.Properties.ContainerDefinitions[0].Environment.map(({ Name }: { Name: string }) => Name);
    expect(names.sort()).toEqual(['ALLOWED_PRIVATE_CIDRS', 'DATA_BUCKET', 'MASTER_SECRET_PARAMETER', 'TABLE_NAME']);
  });
});

describe('containers for steps', () => {
  it('are absent unless the operator enables them, and cost nothing while no step runs in one', async () => {
    const isContainer = ({ Type }: Resource) => /^AWS::(ECS|EC2)::/.test(Type);
    expect(Object.values(stacks.runtime).filter(isContainer)).toEqual([]);
    const { runtime } = await deployedStacks('every');
    expect(ofType(runtime, 'AWS::ECS::TaskDefinition')).toHaveLength(1);
    for (const type of ['ECS::Service', 'EC2::NatGateway', 'EC2::EIP', 'EC2::VPCEndpoint', 'EC2::Instance']) {
      expect(ofType(runtime, `AWS::${type}`), type).toEqual([]);
    }
    for (const [id, { Properties }] of ofType(runtime, 'AWS::EC2::SecurityGroup')) {
      expect(Properties.SecurityGroupIngress, id).toBeUndefined();
    }
  });

  it('have a read-only root, scratch space, and the rights of the functions for steps', async () => {
    const { runtime } = await deployedStacks('every');
    const [[taskId, task] = []] = ofType(runtime, 'AWS::ECS::TaskDefinition');
    const { ContainerDefinitions, EphemeralStorage, Cpu, Memory } = task!.Properties;
    expect({ EphemeralStorage, Cpu, Memory }).toEqual({
      EphemeralStorage: { SizeInGiB: 200 },
      Cpu: '4096',
      Memory: '30720',
    });
    expect(ContainerDefinitions).toMatchObject([
      {
        ReadonlyRootFilesystem: true,
        LinuxParameters: { InitProcessEnabled: true, Capabilities: { Drop: ['ALL'] } },
        MountPoints: [{ ContainerPath: '/tmp', ReadOnly: false }],
      },
    ]);
    const actionsOf = (role: string) =>
      statements(runtime)
        .filter(({ roles }) => roles.some((each) => each.includes(role)))
        .flatMap(({ actions }) => actions)
        .filter((action) => !/^(logs|xray):/.test(action))
        .sort();
    expect(taskId).toBeDefined();
    expect(actionsOf('StepContainersTaskTaskRole')).toEqual(actionsOf('RunStepRole'));
  });

  it('are started only by the step machine, with their own roles and in their own cluster', async () => {
    const { runtime } = await deployedStacks('every');
    const passing = statements(runtime).filter(({ actions }) => actions.includes('iam:PassRole'));
    expect(passing).toHaveLength(1);
    expect(passing[0]!.roles.every((role) => role.includes('StepMachine'))).toBe(true);
    expect(passing[0]!.resource).toHaveLength(2);
    expect(JSON.stringify(passing[0]!.resource)).not.toContain('*');
  });
});
