import { beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, type Resource, type Stacks, statements } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('rights', () => {
  it('name every action', () => {
    for (const { id, actions } of statements(stacks.runtime)) {
      for (const action of actions) expect(action, id).not.toContain('*');
    }
  });

  it('name every resource, except where the service has none to name', () => {
    const open = statements(stacks.runtime).filter(({ resource }) => resource === '*');
    const actions = new Set(open.flatMap((statement) => statement.actions));
    expect([...actions].sort()).toEqual(
      expect.arrayContaining([
        'states:SendTaskFailure',
        'states:SendTaskSuccess',
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ]),
    );
    for (const action of actions) expect(action).toMatch(/^(xray:|logs:|states:SendTask(Success|Failure)$)/);
  });

  it('let only erasing scan the table, and give no table at all to the engine and the AI function', () => {
    const scanning = statements(stacks.runtime).filter(({ actions }) => actions.includes('dynamodb:Scan'));
    expect(scanning.map(({ id }) => id)).toEqual([expect.stringMatching(/EraseDeleted/)]);
    for (const { actions, roles } of statements(stacks.runtime)) {
      const touchesTable = actions.some((action: string) => action.startsWith('dynamodb:') && !/Stream/.test(action));
      if (touchesTable) expect(roles.join()).not.toMatch(/^(Engine|AskModel)/);
    }
  });

  const isAi = ({ roles }: { roles: string[] }) => roles.some((role) => role.startsWith('AskModel'));
  const rights = (resources: Record<string, Resource>) =>
    statements(resources)
      .filter(isAi)
      .flatMap(({ actions }) => actions);

  it('let only steps read replaced objects, and only replaced uploads', () => {
    const readers = statements(stacks.runtime).filter(({ actions }) => actions.includes('s3:GetObjectVersion'));
    expect(readers.map(({ id }) => id)).toEqual([1, 2, 3, 4].map(() => expect.stringMatching(/^RunStep/)));
    for (const { resource } of readers) expect(JSON.stringify(resource)).toContain('/W/*/uploads/*"');
  });

  it('let only the AI function read the key of the AI provider, and nothing else', () => {
    const own = ['logs:CreateLogStream', 'logs:PutLogEvents', 'ssm:GetParameter'];
    expect(
      rights(stacks.runtime)
        .filter((action) => !action.startsWith('xray:'))
        .sort(),
    ).toEqual(own);
    const readers = statements(stacks.runtime).filter(({ resource }) => JSON.stringify(resource).includes('ai-key'));
    expect(readers.length).toBeGreaterThan(0);
    expect(readers.every(isAi)).toBe(true);
  });

  it('let the AI function call the one model of a deployment on Bedrock', async () => {
    const { runtime } = await deployedStacks('every');
    const models = statements(runtime).filter(({ actions }) => actions.includes('bedrock:InvokeModel'));
    expect(models.every(isAi)).toBe(true);
    const named = JSON.stringify(models.map(({ resource }) => resource));
    expect(named).toContain('inference-profile/eu.maker.model-v1:0');
    expect(named).toContain('::foundation-model/maker.model-v1:0');
  });
});
