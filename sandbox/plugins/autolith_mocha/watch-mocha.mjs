import { guarded } from "../autolith_javascript/guarded.mjs";
import { request } from "../autolith_javascript/request.mjs";
import { filesOf } from "../autolith_javascript/selection.mjs";
import { leaveNoTrace, relative, remainingMs, wantsLocals } from "../autolith_node_test/environment.mjs";
import { readLocals } from "../autolith_node_test/locals.mjs";
import { RunRecords } from "./run-records.mjs";

const watched = new WeakSet();
const loaded = performance.now();
/** Milliseconds since it was found out how much time remains. */
const age = () => performance.now() - loaded;

/**
 * Watches the first instance of mocha that loads or runs anything: others belong to tests. Files that hold no chosen test
 * are loaded all the same, since they may be set-up for others; the workers of parallel mode load each on its own.
 */
export function watchMocha(Mocha) {
  if (watched.has(Mocha)) return;
  watched.add(Mocha);
  const { loadFilesAsync, run } = Mocha.prototype;
  let owner;
  let records;

  function isOurs(mocha) {
    if (owner === undefined) {
      owner = mocha;
      leaveNoTrace();
      records = new RunRecords(Mocha.prototype.version ?? "");
    }
    return owner === mocha;
  }

  Mocha.prototype.loadFilesAsync = async function (...args) {
    if (!isOurs(this)) return loadFilesAsync.apply(this, args);
    let file = "";
    this.suite.on("pre-require", (_global, path) => {
      file = path;
    });
    try {
      await loadFilesAsync.apply(this, args);
    } catch (error) {
      guarded(() => records.loadFailed(relative(file), error));
      throw error;
    }
    if (wantsLocals) await readLocals({ file: relative(this.files[0] ?? ""), remainingMs: remainingMs - age() });
  };

  Mocha.prototype.run = function (...args) {
    if (!isOurs(this) || records.hasRun) return run.apply(this, args);
    records.hasRun = true;
    if (this._runnerClass !== undefined && this._runnerClass !== Mocha.Runner && request.select !== null) {
      const files = new Set(filesOf(request.select));
      this.files = this.files.filter((file) => files.has(relative(file)));
    }
    this._reporter = new Proxy(this._reporter, {
      construct(Reporter, [runner, options]) {
        guarded(() => records.watch(runner));
        return Reflect.construct(Reporter, [runner, options]);
      },
    });
    return run.apply(this, args);
  };
}
