import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpReply } from '../problem.ts';

/** A middleware of the chain in front of every operation. */
export type ApiMiddleware = MiddlewareObj<APIGatewayProxyEvent, HttpReply>;

/** What one middleware learns about a request, for those that come after it. */
export class Learned<T> {
  readonly #name: string;
  readonly #values = new WeakMap<APIGatewayProxyEvent, T>();

  constructor(name: string) {
    this.#name = name;
  }

  set(event: APIGatewayProxyEvent, value: T): void {
    this.#values.set(event, value);
  }

  /** Throws when the middleware that learns it stands later in the chain, or was left out. */
  of(event: APIGatewayProxyEvent): T {
    if (!this.#values.has(event)) throw new Error(`the ${this.#name} of the request is not known yet`);
    return this.#values.get(event) as T;
  }

  /** Undefined where the request ended before it was learned. */
  find(event: APIGatewayProxyEvent): T | undefined {
    return this.#values.get(event);
  }
}
