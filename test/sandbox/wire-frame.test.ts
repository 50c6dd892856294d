import { expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import { encodeFrame, FrameDecoder, maxBodyBytes, type WireFrame } from "../../src/sandbox/wire-frame.ts";

function decode(...chunks: Uint8Array[]): WireFrame[] {
  const frames: WireFrame[] = [];
  const decoder = new FrameDecoder((frame) => frames.push(frame));
  for (const chunk of chunks) decoder.push(chunk);
  return frames;
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4);
  });
  return bytes;
}

test("writes the lengths of body and header before them, big endian", () => {
  expect(encodeFrame({ id: 1 }, Buffer.from([255]))).toEqual(
    Buffer.concat([words(4 + 8 + 1, 8), Buffer.from('{"id":1}'), Buffer.from([255])]),
  );
});

test("reads what it wrote, header and binary", () => {
  const header = { id: 7, verb: "execute", code: "print('é\u0000𝄞')", nested: { list: [1, null] } };
  const binary = Buffer.from([0, 1, 2, 255]);
  expect(decode(encodeFrame(header, binary))).toEqual([{ header, binary }]);
});

test("reads frames however the stream is cut", () => {
  const stream = Buffer.concat([encodeFrame({ a: 1 }), encodeFrame({ b: 2 }, Buffer.from("xyz")), encodeFrame({})]);
  const expected = [
    { header: { a: 1 }, binary: Buffer.alloc(0) },
    { header: { b: 2 }, binary: Buffer.from("xyz") },
    { header: {}, binary: Buffer.alloc(0) },
  ];
  for (let size = 1; size <= stream.length; size += 1) {
    const chunks: Buffer[] = [];
    for (let offset = 0; offset < stream.length; offset += size) chunks.push(stream.subarray(offset, offset + size));
    expect(decode(...chunks)).toEqual(expected);
  }
});

test("reads a frame of the largest size that comes byte by byte", () => {
  const frame = encodeFrame({}, Buffer.alloc(maxBodyBytes - 6, 7));
  const sizes: number[] = [];
  const decoder = new FrameDecoder(({ binary }) => sizes.push(binary.length));
  for (let offset = 0; offset < frame.length; offset += 1) decoder.push(frame.subarray(offset, offset + 1));
  expect(sizes).toEqual([maxBodyBytes - 6]);
});

test("does not send a frame that is too long", () => {
  expect(() => encodeFrame({ code: "x".repeat(maxBodyBytes) })).toThrow(SandboxError);
});

test.each([
  ["an announced length over the limit", words(maxBodyBytes + 1)],
  ["a body too short for its header's length", words(3)],
  ["a header longer than the body", words(8, 5, 0)],
  ["a header that is not JSON", Buffer.concat([words(5, 1), Buffer.from("{")])],
  ["a header that is not UTF-8", Buffer.concat([words(7, 3), Buffer.from([0x22, 0xff, 0x22])])],
  ["a header that is an array", Buffer.concat([words(6, 2), Buffer.from("[]")])],
  ["a header that is null", Buffer.concat([words(8, 4), Buffer.from("null")])],
])("refuses %s", (_name, bytes) => {
  expect(() => decode(bytes)).toThrow(SandboxError);
});
