import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../core/aws-error.ts';
import type { InputRule } from './input.ts';
import { EventPattern } from './pattern/pattern.ts';

export const RULES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS rules (name TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;
`;

/** A target in the form of PutTargets. */
export interface RuleTarget extends InputRule {
  Id: string;
  Arn: string;
  RoleArn?: string;
  SqsParameters?: { MessageGroupId?: string };
  DeadLetterConfig?: { Arn?: string };
  RetryPolicy?: { MaximumRetryAttempts?: number; MaximumEventAgeInSeconds?: number };
}

export interface Rule {
  name: string;
  eventPattern?: string;
  scheduleExpression?: string;
  /** Start of a rate, in epoch milliseconds. */
  scheduledFrom: number;
  state: 'ENABLED' | 'DISABLED';
  description?: string;
  roleArn?: string;
  targets: RuleTarget[];
}

/** The rules of the default bus, cached in memory and written through to disk. */
export class Rules {
  readonly #database: DatabaseSync;
  readonly #byName = new Map<string, Rule>();
  readonly #patterns = new Map<string, EventPattern>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    for (const row of database.prepare('SELECT document FROM rules').all()) {
      this.#keep(JSON.parse(row.document as string) as Rule);
    }
  }

  all(): Rule[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): Rule | undefined {
    return this.#byName.get(name);
  }

  /** Throws `ResourceNotFoundException`. */
  get(name: string): Rule {
    const rule = this.#byName.get(name);
    if (rule) return rule;
    throw new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus default.`);
  }

  save(rule: Rule): void {
    this.#database
      .prepare('INSERT INTO rules VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET document = excluded.document')
      .run(rule.name, JSON.stringify(rule));
    this.#keep(rule);
  }

  delete(name: string): void {
    this.#database.prepare('DELETE FROM rules WHERE name = ?').run(name);
    this.#byName.delete(name);
    this.#patterns.delete(name);
  }

  /** The enabled rules whose pattern the event matches. */
  matching(event: object): Rule[] {
    return this.all().filter(({ name, state }) => state === 'ENABLED' && this.#patterns.get(name)?.matches(event));
  }

  #keep(rule: Rule): void {
    this.#byName.set(rule.name, rule);
    if (rule.eventPattern === undefined) this.#patterns.delete(rule.name);
    else this.#patterns.set(rule.name, new EventPattern(rule.eventPattern));
  }
}
