import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileSandbox } from "./hostile-sandbox.ts";

const marker = "AUTOLITH_TEST_MARKER";

beforeAll(() => {
  process.env[marker] = "a-secret-of-the-host";
});

afterAll(() => {
  delete process.env[marker];
});

const hostile = hostileSandbox();

/** Each line of Python is tried by itself; gives the lines that did not fail. */
async function whichSucceed(lines: readonly string[], setUp = ""): Promise<string[]> {
  const code = `
${setUp}
for line in ${JSON.stringify(lines)}:
    try:
        exec(line)
        print(line)
    except BaseException:
        pass`;
  return (await hostile.script(code)).split("\n").filter((line) => line !== "");
}

test("reaches no network: neither TCP, UDP, DNS, IPv6, the host nor a metadata service", async () => {
  const addresses = ["192.0.2.1", "169.254.169.254", "172.17.0.1", "10.0.0.1"];
  const lines = [
    ...addresses.map((address) => `socket.create_connection(("${address}", 80), 1)`),
    ...addresses.map((address) => `socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("${address}", 53))`),
    'socket.create_connection(("2001:db8::1", 80), 1)',
    'socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("2001:db8::1", 53))',
    'socket.getaddrinfo("example.org", 80)',
    "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP).sendto(b'x', ('192.0.2.1', 0))",
    "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
    "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, 1)",
  ];
  expect(await whichSucceed(lines, "import socket")).toEqual([]);
  const interfaces = await hostile.shell(
    "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; cat /proc/net/route | tail -n +2",
  );
  expect(interfaces.stdout.text).toBe("lo\n");
});

test("has a loopback of its own, which tests need", async () => {
  const code = `
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
print("connected")`;
  expect(await hostile.script(code)).toBe("connected\n");
});

test("finds neither the engine's socket nor any other of the host", async () => {
  expect(existsSync("/var/run/docker.sock") || process.env["DOCKER_HOST"] !== undefined).toBe(true);
  expect(
    (await hostile.shell("find / -xdev -type s 2>/dev/null; ls /var/run/docker.sock /run/docker.sock 2>/dev/null"))
      .stdout.text,
  ).toBe("");
  // Only the channel's own end: names of the host's abstract sockets would be listed here.
  expect((await hostile.shell("grep -c '@' /proc/net/unix")).stdout.text).toBe("0\n");
});

test("cannot write outside the workspace, /tmp and its scratch space", async () => {
  const script = `
for place in / /etc /usr/bin /opt/autolith /opt/autolith/supervisor /opt/autolith/drivers /var/lib /home /root /run /dev /sys /sys/fs/cgroup /proc/sys/kernel; do
  (echo x > "$place/autolith-test") 2>/dev/null && echo "$place"
done
for file in /etc/passwd /opt/autolith/supervisor/__main__.py /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper /proc/sys/vm/drop_caches /proc/sys/kernel/hostname; do
  (echo x >> "$file") 2>/dev/null && echo "$file"
done
true`;
  expect((await hostile.shell(script)).stdout.text).toBe("");
});

test("cannot read what belongs to the supervisor or to the host", async () => {
  const script = `
for file in /proc/1/mem /proc/1/environ /proc/1/maps /proc/1/fd/0 /proc/1/fd/1 /proc/kcore /proc/kmsg /proc/1/root/etc/passwd /proc/1/cwd/x /dev/mem /dev/kmsg /etc/shadow; do
  head -c 1 "$file" > /dev/null 2>&1 && echo "$file"
done
ls /proc/1/fd 2>/dev/null
true`;
  expect((await hostile.shell(script)).stdout.text).toBe("");
});

test("may not use system calls that reach other processes or the kernel's rarer parts", async () => {
  // Numbers of x86-64 and, from 424 on, of every architecture.
  const calls = {
    ptrace: [101, "16, 1, 0, 0"],
    unshare: [272, "0x10000000"],
    mount: [165, "b'none', b'/tmp', b'tmpfs', 0, 0"],
    umount2: [166, "b'/tmp', 2"],
    pivot_root: [155, "b'/tmp', b'/tmp'"],
    chroot: [161, "b'/tmp'"],
    setns: [308, "3, 0"],
    bpf: [321, "0, 0, 0"],
    keyctl: [250, "0, -3, 0"],
    add_key: [248, "b'user', b'k', b'v', 1, -3"],
    perf_event_open: [298, "0, 0, -1, -1, 0"],
    userfaultfd: [323, "0"],
    io_uring_setup: [425, "1, ctypes.create_string_buffer(120)"],
    process_vm_readv: [310, "1, 0, 0, 0, 0, 0"],
    process_vm_writev: [311, "1, 0, 0, 0, 0, 0"],
    kcmp: [312, "1, 1, 0, 0, 0"],
    prlimit_on_supervisor: [302, "1, 7, ctypes.create_string_buffer(bytes(16)), 0"],
    pidfd_getfd: [438, "os.pidfd_open(1), 0, 0"],
    mknod: [133, "b'/tmp/device', 0o60666, 0x800"],
    init_module: [175, "0, 0, b''"],
    reboot: [169, "0xfee1dead, 672274793, 0x1234567"],
    swapon: [167, "b'/tmp', 0"],
    sethostname: [170, "b'x', 1"],
    settimeofday: [164, "ctypes.create_string_buffer(16), 0"],
    setuid: [105, "0"],
  } as const;
  const code = `
import ctypes, errno, os, platform
if platform.machine() == "x86_64":
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    refused = {errno.EPERM, errno.ENOSYS, errno.EACCES}
${Object.entries(calls)
  .map(
    ([name, [number, args]]) =>
      `    if syscall(${number}, ${args}) != -1 or ctypes.get_errno() not in refused: print("${name}", ctypes.get_errno())`,
  )
  .join("\n")}`;
  expect(await hostile.script(code)).toBe("");
});

test("cannot make a user namespace by clone or clone3 either", async () => {
  const code = `
import subprocess
print(subprocess.run(["unshare", "--user", "--map-root-user", "true"], stderr=subprocess.DEVNULL).returncode != 0)`;
  expect(await hostile.script(code)).toBe("True\n");
});

test("has no privileges and cannot gain any", async () => {
  const status = (
    await hostile.shell("grep -E '^(Uid|Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status")
  ).stdout.text;
  expect(status.replaceAll("\t", " ")).toBe(
    `${["Uid: 10001 10001 10001 10001", "CapInh: 0000000000000000", "CapPrm: 0000000000000000", "CapEff: 0000000000000000", "CapBnd: 0000000000000000", "CapAmb: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2"].join("\n")}\n`,
  );
  const setuid =
    "cp /bin/sh /tmp/sh; chmod 6755 /tmp/sh; /tmp/sh -c 'id -u'; for tool in su mount passwd chsh newgrp; do $tool -c id root < /dev/null > /tmp/out 2>&1 && echo $tool; done; id -u";
  expect((await hostile.shell(setuid)).stdout.text).toBe("10001\n10001\n");
});

test("has an environment that holds nothing of the host", async () => {
  const fromRun = (await hostile.shell("env | cut -d= -f1 | sort")).stdout.text.split("\n").filter(Boolean);
  const fromExecution = (await hostile.python("import os; print('\\n'.join(os.environ))")).stdout.text.split("\n");
  for (const name of [...fromRun, ...fromExecution.filter(Boolean)]) {
    expect(name).toMatch(
      /^(PATH|HOME|TMPDIR|LANG|PWD|OLDPWD|SHLVL|_|LC_CTYPE|MPLBACKEND|PYTHON\w+|AUTOLITH_(REPORT|INPUT))$/,
    );
  }
  expect((await hostile.shell("env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'")).stdout.text).not.toContain(
    "a-secret-of-the-host",
  );
});

test("sees no processes, mounts or limits of the host", async () => {
  const processes = (
    await hostile.script("import os\nprint([p for p in os.listdir('/proc') if p.isdigit() and int(p) > 10_000])")
  ).trim();
  expect(processes).toBe("[]");
  const mounts = (await hostile.shell("cut -d' ' -f2-4 /proc/self/mounts")).stdout.text
    .split("\n")
    .map((line) => line.split(" "));
  const writable = mounts.filter(([, , options]) => options?.startsWith("rw"));
  expect(writable.map(([place]) => place)).toEqual(expect.arrayContaining(["/tmp", "/work", "/run/autolith"]));
  expect(writable.filter(([, type]) => type === "cgroup" || type === "cgroup2" || type === "sysfs")).toEqual([]);
});

test("leaves no core dump", async () => {
  const result = await hostile.shell("ulimit -c; ulimit -c unlimited 2>/dev/null; kill -ABRT $$");
  expect(result).toMatchObject({ status: "signalled", signal: "SIGABRT", stdout: { text: "0\n" } });
  expect(await hostile.sandbox.list(new AbortController().signal)).toEqual([]);
});
