/** A file's bytes as text that can be edited and turned back into bytes of the same encoding and line ends. */
export interface FileText {
  /** Line ends as in the file. */
  readonly text: string;
  readonly encoding: "utf-8" | "latin1";
  readonly bom: boolean;
  /** True when most line ends are CRLF. */
  readonly crlf: boolean;
}

const bomBytes = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Null for a binary file (one with a NUL byte). Bytes that are not UTF-8 are read as Latin-1, which loses nothing. */
export function decodeText(bytes: Uint8Array): FileText | null {
  if (bytes.includes(0)) return null;
  const bom = bomBytes.every((byte, index) => bytes[index] === byte);
  const content = bom ? bytes.subarray(3) : bytes;
  const encoding = isUtf8(content) ? "utf-8" : "latin1";
  const text = Buffer.from(content).toString(encoding);
  const crlfs = text.split("\r\n").length - 1;
  const newlines = text.split("\n").length - 1;
  return { text, encoding, bom, crlf: crlfs > 0 && crlfs * 2 >= newlines };
}

/** The bytes of a changed text; null when it has characters that the file's encoding cannot hold. */
export function encodeText(file: FileText, text: string): Uint8Array | null {
  const bytes = Buffer.from(text, file.encoding);
  if (bytes.toString(file.encoding) !== text) return null;
  return file.bom ? Buffer.concat([bomBytes, bytes]) : bytes;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
