import { parse } from "tiny-duration";

/** When a session ends: `length` is written as in the programme, `1h 30m`. */
export function endOf({ start, length }) {
  return start + parse(length);
}

/** Whether two sessions can be visited one after the other. */
export function fits(first, second) {
  return endOf(first) <= second.start;
}
