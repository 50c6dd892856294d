import { removeLayersOf } from "../dependencies/layers-left.ts";
import { engineUnderTest } from "../docker/engine-under-test.ts";
import { type Registry, startRegistry } from "../registry/registry.ts";
import { asksFor, padVersions, shopCode, slugVersions } from "./bump-projects.ts";
import { type Service, startService } from "./run-serve.ts";

/** A service whose installs come from a registry of the test's own. */
export interface ReviewScene extends AsyncDisposable {
  readonly service: Service;
  /** The shop with version 1.0.0 of its package. */
  readonly base: Readonly<Record<string, string>>;
  /** What a bot changes in order to bump the package. */
  bump(version: string): Readonly<Record<string, string>>;
}

export async function reviewScene(): Promise<ReviewScene> {
  const { engine } = await engineUnderTest();
  const registry: Registry = await startRegistry({ engine, npm: padVersions, python: slugVersions });
  const service = await startService({ environment: registry.environment });
  return {
    service,
    base: { ...asksFor(registry, "1.0.0"), ...shopCode },
    bump: (version) => asksFor(registry, version),
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      await removeLayersOf(service.data);
      await service[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}
