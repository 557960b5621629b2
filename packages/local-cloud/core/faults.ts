/**
 * The fault switch injects faults that a real cloud has on its own. A rule defines where a fault strikes and how often.
 * A service calls `strike` wherever its real counterpart may misbehave, and acts on the result.
 */
export type FaultEffect =
  /** The service answers its throttling error. */
  | 'throttle'
  /** A conditional write or a transaction answers a conflict. */
  | 'conflict'
  /** The service answers an internal error (HTTP 500), having changed nothing. */
  | 'error'
  /** The change is made but the answer is an internal error, so that the caller repeats it. */
  | 'lostAnswer'
  /** The message, event, record batch or invocation is delivered twice. */
  | 'duplicate'
  /** The answer or delivery comes late by `delayMs`. */
  | 'delay'
  /** The function's process is killed (SIGKILL) `delayMs` after the invocation began. */
  | 'kill';

export interface FaultRule {
  effect: FaultEffect;
  /** `dynamodb`, `sqs`, `s3`, `states`, `events`, `lambda`, … */
  service: string;
  /** Operation name on the wire (`PutItem`); every operation when absent. */
  operation?: string;
  /** Resource name must contain this text (table, queue, bucket, function name); every resource when absent. */
  resource?: string;
  /** 0–1, default 1. */
  probability?: number;
  /** Strikes left; unlimited when absent. */
  times?: number;
  delayMs?: number;
}

export class Faults {
  #rules: FaultRule[] = [];
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  replace(rules: FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ ...rule }));
  }

  get rules(): readonly FaultRule[] {
    return this.#rules;
  }

  /**
   * The rule that strikes here now, if any; its strike is counted. Call it once per place with all effects that the
   * place supports.
   */
  strike(place: {
    service: string;
    operation?: string;
    resource?: string;
    effects: FaultEffect[];
  }): FaultRule | undefined {
    for (const rule of this.#rules) {
      if (rule.times === 0) continue;
      if (rule.service !== place.service || !place.effects.includes(rule.effect)) continue;
      if (rule.operation !== undefined && rule.operation !== place.operation) continue;
      if (rule.resource !== undefined && !place.resource?.includes(rule.resource)) continue;
      if (this.#random() >= (rule.probability ?? 1)) continue;
      if (rule.times !== undefined) rule.times -= 1;
      return rule;
    }
    return undefined;
  }
}
