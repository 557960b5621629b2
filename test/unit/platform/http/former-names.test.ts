import * as Type from 'typebox';
import { expect, it } from 'vitest';
import { FormerName, withCurrentNames } from '../../../../shared/platform/http/former-names.ts';

const cron = Type.String();
const schema = Type.Object({ cron, cronExpression: FormerName('cron', cron), name: Type.String() });

it('a member under its former name becomes the current one, and issues keep the name that was sent', () => {
  const { input, issues, asSent } = withCurrentNames({ cronExpression: '@daily', name: 'x' }, schema);
  expect(input).toEqual({ cron: '@daily', name: 'x' });
  expect(issues).toEqual([]);
  expect(['/cron', '/cron/0', '/name', '/cronic'].map(asSent)).toEqual([
    ...['/cronExpression', '/cronExpression/0', '/name', '/cronic'],
  ]);
  expect(withCurrentNames({ cron: '@daily' }, schema).asSent('/cron')).toBe('/cron');
});

it('both names may be given with one value, and not with two', () => {
  const both = (cronExpression: unknown) => withCurrentNames({ cron: '@daily', cronExpression }, schema, '/query');
  expect(both('@daily')).toMatchObject({ input: { cron: '@daily' }, issues: [] });
  expect(both('@weekly').issues).toEqual([
    {
      pointer: '/query/cronExpression',
      code: 'CONFLICT',
      message: 'differs from `cron`, whose former name it is; send only `cron`',
    },
  ]);
});

it('what is no object is left as it is', () => {
  for (const input of [undefined, null, 'text', ['cronExpression']]) {
    expect(withCurrentNames(input, schema).input).toBe(input);
  }
});
