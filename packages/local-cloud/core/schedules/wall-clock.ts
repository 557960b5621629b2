const DAY_MS = 86_400_000;

/**
 * The wall clock of a time zone. A wall time is written as the epoch milliseconds that it would be in UTC, so that
 * calendar arithmetic needs no time zone.
 */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  /** Throws a `RangeError` for an unknown time zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** The wall time at an instant, to the second. */
  at(instant: number): number {
    const part = Object.fromEntries(
      this.#format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day, hour, minute, second } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** The instant of a wall time: the first of two in autumn, undefined in the gap of spring. */
  instantOf(wall: number): number | undefined {
    const offsets = [wall - DAY_MS, wall + DAY_MS].map((near) => this.at(near) - near);
    const instants = offsets.map((offset) => wall - offset).filter((instant) => this.at(instant) === wall);
    return instants.length === 0 ? undefined : Math.min(...instants);
  }
}
