import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../sandbox/supervisor", import.meta.url));
const allow = 0x7fff0000;
const eperm = 0x00050001;
const enosys = 0x00050026;

const x86 = {
  machine: "x86_64",
  architecture: 0xc000003e,
  clone: 56,
  socket: 41,
  prlimit: 302,
  ptrace: 101,
  mount: 165,
};
const arm = {
  machine: "aarch64",
  architecture: 0xc00000b7,
  clone: 220,
  socket: 198,
  prlimit: 261,
  ptrace: 117,
  mount: 40,
};

function assemble(machine: string): Buffer {
  const program = "import sys; from seccomp_filter import assemble; sys.stdout.buffer.write(assemble(sys.argv[1]))";
  return execFileSync("python3", ["-Bc", program, machine], { cwd: folder });
}

/** Runs the filter as the kernel would, on one system call: classic BPF over `struct seccomp_data`. */
function verdict(program: Buffer, architecture: number, number: number, argument = 0): number {
  const data = new Map([
    [0, number],
    [4, architecture],
    [16, argument],
  ]);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const operand = program.readUInt32LE(at * 8 + 4);
    const jumps = (holds: boolean) => program.readUInt8(at * 8 + (holds ? 2 : 3));
    if (code === 0x06) return operand;
    if (code === 0x20) accumulator = data.get(operand) ?? Number.NaN;
    else if (code === 0x15) at += jumps(accumulator === operand);
    else if (code === 0x35) at += jumps(accumulator >= operand);
    else if (code === 0x45) at += jumps((accumulator & operand) !== 0);
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the filter has no end");
}

test.each([x86, arm])("judges system calls of $machine", ({ machine, architecture, ...numbers }) => {
  const program = assemble(machine);
  const judge = (number: number, argument?: number) => verdict(program, architecture, number, argument);
  expect([judge(numbers.ptrace), judge(numbers.mount), judge(438), judge(425), judge(467)]).toEqual(
    Array(5).fill(eperm),
  );
  expect(judge(435)).toBe(enosys);
  expect([judge(numbers.socket, 2), judge(numbers.socket, 1)]).toEqual([allow, allow]);
  expect([17, 38, 40].map((family) => judge(numbers.socket, family))).toEqual([eperm, eperm, eperm]);
  expect([judge(numbers.prlimit, 0), judge(numbers.prlimit, 7)]).toEqual([allow, eperm]);
  expect([judge(numbers.clone, 0x00010f00), judge(numbers.clone, 0x10000011)]).toEqual([allow, eperm]);
  expect([judge(0), judge(63), judge(1)]).toEqual([allow, allow, allow]);
});

test("knows no system call of another architecture", () => {
  expect(verdict(assemble("x86_64"), 0x40000003, 1)).toBe(enosys);
  expect(verdict(assemble("x86_64"), x86.architecture, 0x40000001)).toBe(enosys);
  expect(verdict(assemble("aarch64"), x86.architecture, 1)).toBe(enosys);
});
