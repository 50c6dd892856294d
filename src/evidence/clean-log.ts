/** One line of a job's log, without GitHub's time stamp and without what a terminal would swallow. */
export interface LogLine {
  /** Milliseconds since the epoch; null on lines without a stamp. */
  readonly at: number | null;
  readonly text: string;
}

const stamp = /^\ufeff?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) ?/;
/** ECMA-48 control sequences, and the operating system commands of terminals. */
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-_]/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** Longer lines are data, not messages. */
const longestLine = 4_000;

/** A log as lines of plain text. Logs are written by whatever ran, so nothing in them is believed. */
export function cleanLog(log: string): LogLine[] {
  return log.split("\n").map((raw) => {
    const time = stamp.exec(raw)?.[1];
    const text = (time === undefined ? raw.replace(/^\ufeff/, "") : raw.replace(stamp, "")).replace(escapes, "");
    return {
      at: time === undefined ? null : Date.parse(time),
      text: lastOverwrite(text).replace(controls, "").slice(0, longestLine),
    };
  });
}

/** What a progress bar leaves on the screen: the text behind the last carriage return that is followed by any. */
function lastOverwrite(text: string): string {
  const line = text.replace(/\r+$/, "");
  return line.slice(line.lastIndexOf("\r") + 1);
}
