import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../shared/data/expressions/index.ts';
import { isAlwaysTrue } from '../../../../shared/domains/semantics/row-rights/always-true.ts';

const USER = {
  id: 'u1',
  email: 'ann@example.com',
  role: 'editor',
  groups: ['Finance', 'Sales'],
  attributes: { region: 'all', teams: ['a', 'b'], none: [] },
};

const SCOPE = {
  tables: [{ id: 't', alias: 'orders', fields: [{ id: 'f', name: 'region', dataType: 'string' as const }] }],
  measures: [],
};

describe('a policy that is true for every row', () => {
  it.each([
    ['TRUE', true],
    ['FALSE', false],
    ['[region] = "eu"', false],
    ['[region] = "eu" OR TRUE', true],
    ['[region] = "eu" AND TRUE', false],
    ['TRUE AND user.role = "editor"', true],
    ['user.role = "admin"', false],
    ['user.role IN ("admin", "editor") OR [region] IN user.attr("region")', true],
    ['user.role NOT IN ("admin")', false],
    ['"Sales" IN user.groups', true],
    ['"HR" IN user.groups', false],
    ['user.attr("region") = "all" OR [region] = user.attr("region")', true],
    ['user.attr("teams") = "a"', false],
    ['"b" IN user.attr("teams")', true],
    ['"b" IN user.attr("none")', false],
    ['user.attr("missing") = "all"', false],
    ['user.id <> "u2"', false],
    ['NOT FALSE', false],
    ['[region] = [region]', false],
  ])('%s: %s', (text, expected) => {
    const { valid, diagnostics } = analyze(text, SCOPE, { purpose: 'policy' });
    expect(valid, JSON.stringify(diagnostics)).toBeDefined();
    expect(isAlwaysTrue(valid!.tree, USER)).toBe(expected);
  });
});
