import { expect, it } from 'vitest';
import { settingsText } from '../../../../functions/platform/console/site/ui/settings-text.ts';

it('writes settings of the API in words', () => {
  const filter = { match: 'all', conditions: [{ column: 'status', op: 'ne', value: 'cancelled' }] };
  expect(settingsText(filter, { titles: { match: 'Rows must meet' }, values: { ne: 'is not' } })).toBe(
    'Rows must meet: all · Conditions: status is not cancelled',
  );
  expect(settingsText({ values: ['paid', ''], isStrict: true, minValue: 0, limit: null })).toBe(
    'Values: paid, empty text · Is strict: yes · Min value: 0',
  );
  expect(settingsText({})).toBe('');
});
