import { parse } from "tiny-duration";

/** How long to wait before reminding somebody of a session, in milliseconds. */
export function reminderDelay(session, { before, now }) {
  return Math.max(0, session.start - parse(before) - now);
}
