import { gzipSync } from "node:zlib";

const block = 512;

/** Files as a gzipped tar archive (ustar); the same bytes for the same files, so that its hash can stand in a lockfile. */
export function tarball(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    return [header(path, content.length), content, Buffer.alloc((block - (content.length % block)) % block)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]));
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format". */
function header(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for this archive`);
  const bytes = Buffer.alloc(block);
  bytes.write(path, 0);
  bytes.write("0000644\0", 100);
  bytes.write("0000000\0", 108);
  bytes.write("0000000\0", 116);
  bytes.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  // In the year 2001: zip archives know no time before 1980.
  bytes.write("07346545000\0", 136);
  bytes.write("        ", 148);
  bytes.write("0", 156);
  bytes.write("ustar\0", 257);
  bytes.write("00", 263);
  const sum = bytes.reduce((total, each) => total + each, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return bytes;
}
