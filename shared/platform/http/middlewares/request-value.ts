import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpReply } from '../problem.ts';

/** A middleware of the chain of every operation. */
export type ApiMiddleware = MiddlewareObj<APIGatewayProxyEvent, HttpReply>;

/** A value that one middleware sets for a request and later ones read. */
export class RequestValue<T> {
  readonly #name: string;
  readonly #values = new WeakMap<APIGatewayProxyEvent, T>();

  constructor(name: string) {
    this.#name = name;
  }

  set(event: APIGatewayProxyEvent, value: T): void {
    this.#values.set(event, value);
  }

  /** Throws if the middleware that sets it comes later in the chain, or is missing. */
  of(event: APIGatewayProxyEvent): T {
    if (!this.#values.has(event)) throw new Error(`the ${this.#name} of the request is not set yet`);
    return this.#values.get(event) as T;
  }

  /** Undefined if the request ended before the value was set. */
  find(event: APIGatewayProxyEvent): T | undefined {
    return this.#values.get(event);
  }
}
