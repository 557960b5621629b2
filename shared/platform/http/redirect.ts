/** A redirect to an address that the request determines, fetched with GET. */
export class Redirect {
  readonly location: string;

  constructor(location: string | URL) {
    this.location = String(location);
  }
}
