/** Minutes since midnight of a time such as "09:30". */
export function minutes(text) {
  const match = /^(\d{2}):(\d{2})$/.exec(text);
  if (!match) throw new TypeError(`not a time: ${text}`);
  return Number(match[1]) * 60 + Number(match[2]);
}

/** A time such as "09:30" of minutes since midnight. */
export function clock(value) {
  return `${String(Math.floor(value / 60)).padStart(2, "0")}:${String(value % 60).padStart(2, "0")}`;
}
