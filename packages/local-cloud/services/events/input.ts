import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { EventDocument } from './event.ts';

/** How a target's input is derived from the event; at most one of the three. */
export interface InputRule {
  Input?: string;
  InputPath?: string;
  InputTransformer?: { InputPathsMap?: Record<string, string>; InputTemplate: string };
}

export interface InputContext {
  event: EventDocument;
  ruleArn: string;
  ruleName: string;
  /** When the event was accepted, in ISO 8601. */
  ingestionTime: string;
}

const PREDEFINED: Record<string, (context: InputContext) => unknown> = {
  'aws.events.rule-arn': ({ ruleArn }) => ruleArn,
  'aws.events.rule-name': ({ ruleName }) => ruleName,
  'aws.events.event.ingestion-time': ({ ingestionTime }) => ingestionTime,
  'aws.events.event.json': ({ event }) => event,
  'aws.events.event': ({ event: { detail: _detail, 'detail-type': detailType, ...event } }) => ({
    ...event,
    detailType,
  }),
};

const PLACEHOLDER = /<([A-Za-z0-9._-]+)>/g;

/** Throws `ValidationException` for an input that EventBridge rejects. */
export function checkInput(targetId: string, rule: InputRule): void {
  const given = [rule.Input, rule.InputPath, rule.InputTransformer].filter((each) => each !== undefined);
  const reject = (message: string) => new AwsError('ValidationException', message);
  if (given.length > 1) {
    throw reject(`Only one of Input, InputPath, or InputTransformer must be provided for target ${targetId}.`);
  }
  if (rule.Input !== undefined && !isJson(rule.Input)) {
    throw reject(`JSON syntax error in input for target ${targetId}.`);
  }
  if (rule.InputPath !== undefined) parsePath(rule.InputPath);
  if (!rule.InputTransformer) return;
  const { InputPathsMap = {}, InputTemplate } = rule.InputTransformer;
  for (const path of Object.values(InputPathsMap)) parsePath(path);
  for (const [, name = ''] of InputTemplate.matchAll(PLACEHOLDER)) {
    if (Object.hasOwn(InputPathsMap, name) || Object.hasOwn(PREDEFINED, name)) continue;
    throw reject(`InputTemplate for target ${targetId} contains invalid placeholder ${name}.`);
  }
}

/** The text that the target gets. */
export function makeInput({ Input, InputPath, InputTransformer }: InputRule, context: InputContext): string {
  if (Input !== undefined) return Input;
  if (InputPath !== undefined) return JSON.stringify(at(context.event, InputPath) ?? null);
  if (InputTransformer) return transform(InputTransformer, context);
  return JSON.stringify(context.event);
}

function transform(
  { InputPathsMap = {}, InputTemplate }: NonNullable<InputRule['InputTransformer']>,
  context: InputContext,
) {
  const lookUp = (name: string) => {
    const path = InputPathsMap[name];
    return path === undefined ? PREDEFINED[name]?.(context) : at(context.event, path);
  };
  return InputTemplate.replace(PLACEHOLDER, (_placeholder, name: string, offset: number) => {
    const value = lookUp(name) ?? '';
    return insideQuotes(InputTemplate, offset) ? bare(value) : JSON.stringify(value);
  });
}

function insideQuotes(template: string, offset: number): boolean {
  let inside = false;
  for (let index = 0; index < offset; index += 1) {
    if (template[index] === '\\') index += 1;
    else if (template[index] === '"') inside = !inside;
  }
  return inside;
}

/** Inside a text, a string is escaped and anything else is its JSON without quotes. */
function bare(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value).replaceAll('"', '');
}

/** Reads `$.detail.items[0]['name']`. */
function parsePath(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  const step = /\.([\w-]+)|\[(\d+)\]|\['([^']+)'\]/y;
  if (!path.startsWith('$')) throw unsupported('events', `the JSON path ${path}`);
  for (step.lastIndex = 1; step.lastIndex < path.length; ) {
    const match = step.exec(path);
    if (!match) throw unsupported('events', `the JSON path ${path}`);
    steps.push(match[2] === undefined ? ((match[1] ?? match[3]) as string) : Number(match[2]));
  }
  return steps;
}

function at(event: EventDocument, path: string): unknown {
  let value: unknown = event;
  for (const step of parsePath(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
