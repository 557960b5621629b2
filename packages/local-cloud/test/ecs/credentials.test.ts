import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EcsCloud } from './support/cloud.ts';

const ROLE = 'arn:aws:iam::000000000000:role/tasks';

let cloud: EcsCloud;
beforeAll(async () => {
  cloud = new EcsCloud();
  await cloud.start();
});
afterAll(() => cloud.dispose());

/** Runs a task that prints a JSON value, and returns it. */
async function printed(program: string, definition: object): Promise<unknown> {
  const options = { 'awslogs-group': '/tasks', 'awslogs-region': 'us-east-1', 'awslogs-stream-prefix': 'run' };
  await cloud.define(program, {
    definition,
    container: { logConfiguration: { logDriver: 'awslogs', options } },
  });
  const { tasks } = await cloud.run();
  await cloud.stopped(tasks[0].taskArn);
  const { events } = await cloud.logs(tasks[0].taskArn);
  return JSON.parse(events.at(-1)?.message ?? 'null');
}

describe('a task', () => {
  it('gets the credentials of its role at the address in its environment, and none in the environment', async () => {
    const program = `
      const { AWS_CONTAINER_CREDENTIALS_FULL_URI: uri, AWS_CONTAINER_AUTHORIZATION_TOKEN: authorization } = process.env;
      const answers = [];
      for (const headers of [{ authorization }, { authorization: 'guess' }, {}]) {
        const reply = await fetch(uri, { headers });
        answers.push({ status: reply.status, ...(reply.ok && (await reply.json())) });
      }
      const other = await fetch(uri.slice(0, -1), { headers: { authorization } });
      const variables = Object.keys(process.env).filter((name) => /^AWS_(ACCESS|SECRET|SESSION)/.test(name));
      console.log(JSON.stringify({ uri, authorization, answers, other: other.status, variables }));
    `;
    const { uri, authorization, answers, other, variables } = (await printed(program, { taskRoleArn: ROLE })) as {
      uri: string;
      authorization: string;
      answers: Record<string, string>[];
      other: number;
      variables: string[];
    };
    expect(answers).toEqual([
      {
        status: 200,
        RoleArn: ROLE,
        AccessKeyId: expect.stringMatching(/^ASIA/),
        SecretAccessKey: expect.any(String),
        Token: expect.any(String),
        Expiration: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      { status: 403 },
      { status: 403 },
    ]);
    expect([other, variables]).toEqual([403, []]);
    // The address ends with the task.
    expect((await fetch(uri, { headers: { authorization } })).status).toBe(403);
  });

  it('without a role gets none', async () => {
    const program = `console.log(JSON.stringify(Object.keys(process.env).filter((name) => /CREDENTIALS|TOKEN/.test(name))));`;
    expect(await printed(program, {})).toEqual([]);
  });
});
