import { interval, subtract } from "./interval.js";
import { clock, minutes } from "./time.js";

/** The bookings of one day. */
export class Calendar {
  #opening;
  #bookings = [];

  constructor(opens, closes) {
    this.#opening = interval(minutes(opens), minutes(closes));
  }

  book(from, to) {
    this.#bookings.push(interval(minutes(from), minutes(to)));
  }

  /** Free spans of at least the given length, as "from-to". */
  free(length = 1) {
    return subtract(this.#opening, this.#bookings)
      .filter((span) => span.end - span.start >= length)
      .map((span) => `${clock(span.start)}-${clock(span.end)}`);
  }
}
