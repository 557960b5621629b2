/** A reply with its headers. */
export interface Replied<T> {
  data: T;
  response: Response;
}

/** A request on its way: a promise of the reply, which also has its headers. */
export class Call<T> extends Promise<T> {
  #replied: Promise<Replied<T>> | undefined;

  /** What `then` returns is a plain promise. */
  static override get [Symbol.species]() {
    return Promise;
  }

  static of<T>(replied: Promise<Replied<T>>): Call<T> {
    const call = new Call<T>((resolve, reject) => replied.then(({ data }) => resolve(data), reject));
    call.#replied = replied;
    return call;
  }

  /** The reply together with its headers, such as the `ETag`. */
  withResponse(): Promise<Replied<T>> {
    // Otherwise an error of the call, for which nothing else waits, would be an unhandled rejection.
    this.catch(() => {});
    return this.#replied!;
  }
}

/** The records of a page. */
export type ItemOf<Page> = Page extends { items: Array<infer Item> } ? Item : unknown;

/** Reads the page after this one; `undefined` after the last one. */
export type NextPage<Page> = (page: Page, seen: number) => Promise<Page> | undefined;

/** Awaited, it is the first page; iterated, it is the records of all pages, of which one is in memory at a time. */
export class List<Page> extends Call<Page> implements AsyncIterable<ItemOf<Page>> {
  #next: NextPage<Page> = () => undefined;

  static paged<Page>(replied: Promise<Replied<Page>>, next: NextPage<Page>): List<Page> {
    const list = new List<Page>((resolve, reject) => replied.then(({ data }) => resolve(data), reject));
    list.withResponse = () => {
      list.catch(() => {});
      return replied;
    };
    list.#next = next;
    return list;
  }

  async *pages(): AsyncGenerator<Page> {
    let seen = 0;
    for (let page: Page | undefined = await this; page !== undefined; ) {
      yield page;
      seen += (page as { items: unknown[] }).items.length;
      const next: Promise<Page> | undefined = this.#next(page, seen);
      page = next && (await next);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>> {
    for await (const page of this.pages()) yield* (page as { items: ItemOf<Page>[] }).items;
  }
}

/** A server-sent event: its name and its data, by the shapes of the operation. */
export type EventOf<Shapes> = {
  [Name in keyof Shapes]-?: { event: Name; data: Shapes[Name]; id: string };
}[keyof Shapes];

/** Events as they happen. After a lost connection the stream goes on where it ended. */
export interface Events<Shapes> extends AsyncIterable<EventOf<Shapes>> {}

/** The lines of a reply, as they arrive. */
export interface Lines<Line> extends AsyncIterable<Line> {}
