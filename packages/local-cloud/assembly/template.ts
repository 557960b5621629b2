import type { Report } from './conform.ts';
import type { Value } from './value.ts';

export interface ResourceDefinition {
  Type: string;
  Properties?: { [name: string]: Value };
  DependsOn?: string | string[];
  Condition?: string;
  DeletionPolicy?: string;
}

export interface Template {
  Parameters?: Record<string, { Type: string; Default?: string | number }>;
  Mappings?: Record<string, Record<string, Record<string, Value>>>;
  Conditions?: Record<string, Value>;
  Rules?: Record<string, unknown>;
  Resources: Record<string, ResourceDefinition>;
  Outputs?: Record<string, { Value: Value; Condition?: string; Export?: { Name: Value } }>;
}

const SECTIONS = [
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Mappings',
  'Conditions',
  'Rules',
  'Resources',
  'Outputs',
];
/**
 * `UpdateReplacePolicy` is about what a replacement leaves behind; the local cloud never replaces resources that keep
 * data.
 */
const RESOURCE_MEMBERS = [
  'Type',
  'Properties',
  'DependsOn',
  'Condition',
  'DeletionPolicy',
  'UpdateReplacePolicy',
  'Metadata',
];
const OUTPUT_MEMBERS = ['Value', 'Condition', 'Export', 'Description'];
const DELETION_POLICIES = ['Delete', 'Retain', 'RetainExceptOnCreate'];
/** CDK's check of the bootstrap stack, which this machine does not need. */
const BOOTSTRAP = { parameter: 'BootstrapVersion', rule: 'CheckBootstrapVersion' };

const MAX_RESOURCES = 500;

/** Reports every unsupported part of a template outside the properties. */
export function checkTemplate(template: Template, report: Report): void {
  rejectUnknown(template, SECTIONS, '', report);
  for (const name of Object.keys(template.Rules ?? {})) {
    if (name !== BOOTSTRAP.rule) report(`Rules.${name}`, 'the local cloud does not evaluate rules');
  }
  for (const [name, parameter] of Object.entries(template.Parameters ?? {})) {
    if (name === BOOTSTRAP.parameter) continue;
    const path = `Parameters.${name}`;
    if (!['String', 'Number', 'CommaDelimitedList'].includes(parameter.Type)) {
      report(path, `parameters of type ${parameter.Type} are not supported`);
    } else if (parameter.Default === undefined) {
      report(path, 'a parameter without a default has no value here');
    }
  }
  const count = Object.keys(template.Resources).length;
  if (count > MAX_RESOURCES) report('Resources', `a stack has at most ${MAX_RESOURCES} resources, this one ${count}`);
  for (const [id, resource] of Object.entries(template.Resources)) {
    rejectUnknown(resource, RESOURCE_MEMBERS, `${id}.`, report);
    const policy = resource.DeletionPolicy;
    if (policy !== undefined && !DELETION_POLICIES.includes(policy)) {
      report(`${id}.DeletionPolicy`, `${policy} is not supported`);
    }
  }
  for (const [name, output] of Object.entries(template.Outputs ?? {})) {
    rejectUnknown(output, OUTPUT_MEMBERS, `Outputs.${name}.`, report);
  }
}

/** Values of the parameters, all from their defaults; lists split at commas. */
export function parameterValues(template: Template): Map<string, Value> {
  return new Map(
    Object.entries(template.Parameters ?? {}).map(([name, { Type, Default }]) => {
      const value = String(Default ?? '');
      return [name, Type === 'CommaDelimitedList' ? value.split(',').map((item) => item.trim()) : value];
    }),
  );
}

function rejectUnknown(value: object, known: string[], prefix: string, report: Report): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) report(`${prefix}${name}`, 'the local cloud does not support this part of a template');
  }
}
