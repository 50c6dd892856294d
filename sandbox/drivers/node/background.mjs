const known = new Map();
const words = {
  Timeout: "timer",
  Immediate: "immediate",
  ProcessWrap: "child process",
  TCPServerWrap: "listening server",
  TCPSocketWrap: "connection",

  UDPWrap: "UDP socket",
  FSEventWrap: "file watcher",
  StatWatcher: "file watcher",
  Worker: "worker thread",
};

/** Takes note of what the driver itself keeps open. */
export function rememberResources() {
  for (const [name, count] of counts()) known.set(name, count);
}

/** What user code left running, in words. */
export function background(isAbandoned) {
  const running = [];
  for (const [name, count] of counts()) {
    const more = count - (known.get(name) ?? 0);
    if (more > 0 && words[name]) running.push(more === 1 ? words[name] : `${words[name]} (${more} of them)`);
  }
  if (isAbandoned) running.push("the interrupted execution, which may still wait for something");
  return running;
}

function counts() {
  const found = new Map();
  for (const name of process.getActiveResourcesInfo()) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}
