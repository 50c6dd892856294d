// Preloaded with --import: lets a program believe that it runs on Node 20. Its children do not inherit that.
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
