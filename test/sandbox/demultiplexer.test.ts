import { expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import { Demultiplexer } from "../../src/sandbox/demultiplexer.ts";
import { dockerFrame } from "./scripted-supervisor.ts";

function collect(): { demultiplexer: Demultiplexer; stdout: () => string; stderr: () => string } {
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const demultiplexer = new Demultiplexer({
    stdout: (bytes) => stdout.push(Buffer.from(bytes)),
    stderr: (bytes) => stderr.push(Buffer.from(bytes)),
  });
  return {
    demultiplexer,
    stdout: () => Buffer.concat(stdout).toString(),
    stderr: () => Buffer.concat(stderr).toString(),
  };
}

test("separates standard output from standard error", () => {
  const { demultiplexer, stdout, stderr } = collect();
  demultiplexer.push(
    Buffer.concat([
      dockerFrame(1, Buffer.from("one ")),
      dockerFrame(2, Buffer.from("two")),
      dockerFrame(1, Buffer.from("three")),
    ]),
  );
  expect(stdout()).toBe("one three");
  expect(stderr()).toBe("two");
});

test("gives the same output however the stream is cut", () => {
  const stream = Buffer.concat([
    dockerFrame(1, Buffer.from("hello")),
    dockerFrame(2, Buffer.alloc(0)),
    dockerFrame(1, Buffer.from("world")),
  ]);
  for (let size = 1; size <= stream.length; size += 1) {
    const { demultiplexer, stdout } = collect();
    for (let offset = 0; offset < stream.length; offset += size)
      demultiplexer.push(stream.subarray(offset, offset + size));
    expect(stdout()).toBe("helloworld");
  }
});

test("passes the start of a long frame on before the rest has come", () => {
  const { demultiplexer, stdout } = collect();
  demultiplexer.push(dockerFrame(1, Buffer.from("early and late")).subarray(0, 13));
  expect(stdout()).toBe("early");
});

test("survives a chunk of 64 KiB that is all frames of one byte", () => {
  const { demultiplexer, stdout } = collect();
  const count = Math.floor((64 * 1024) / 9);
  demultiplexer.push(Buffer.concat(Array.from({ length: count }, () => dockerFrame(1, Buffer.from("x")))));
  expect(stdout()).toBe("x".repeat(count));
});

test.each([
  ["an unknown type", dockerFrame(3, Buffer.from("x"))],
  ["the type of standard input", dockerFrame(0, Buffer.from("x"))],
  ["padding that is not zero", Buffer.from([1, 0, 1, 0, 0, 0, 0, 1, 120])],
  ["a frame that no engine sends", Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])],
  ["plain text", Buffer.from("plain text")],
])("refuses %s", (_name, bytes) => {
  expect(() => collect().demultiplexer.push(bytes)).toThrow(SandboxError);
});
